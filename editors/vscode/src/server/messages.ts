import { commands, env, type ExtensionContext, window } from 'vscode';
import { message, type Verdict } from './crashes';
import type { Found, Missing } from './lookup';
import type { Session } from './session';
import { advice } from './versions';

const SETTINGS = 'Open Settings';
const INSTALL = 'How to Install';
const RESTART = 'Restart Server';
const OUTPUT = 'Show Output';
const SILENCE = "Don't Show Again";

/** There is no server to start. */
export async function tellMissing(session: Session, missing: Missing): Promise<void> {
  const text =
    missing.source === 'setting'
      ? `Keywright: the setting keywright.server.path names ${missing.place}, and there is no such program.`
      : 'Keywright has no server to start: this extension carries none for your platform, and there is no keywright on the PATH.';
  await answer(session, await window.showErrorMessage(text, SETTINGS, INSTALL));
}

/** The server was found and did not come up. */
export async function tellFailure(session: Session, found: Found, reason: string): Promise<void> {
  session.output.error(`${found.command} cannot be used: ${reason}`);
  const text = `Keywright cannot use ${found.command} as its server: ${reason}`;
  await answer(session, await window.showErrorMessage(text, SETTINGS, INSTALL, OUTPUT));
}

/** The server ended by itself. */
export function tellCrash(session: Session, how: string, verdict: Verdict): void {
  const text = message(how, verdict);
  session.output.error(text);
  const shown = verdict.restart
    ? window.showWarningMessage(text, RESTART, OUTPUT)
    : window.showErrorMessage(text, RESTART, OUTPUT);
  void shown.then(chosen => answer(session, chosen));
}

/** Nobody answers a command. */
export async function tellNotRunning(session: Session): Promise<void> {
  const text = 'Keywright: the server is not running.';
  await answer(session, await window.showErrorMessage(text, RESTART, SETTINGS, INSTALL));
}

/** Extension and server do not go together. Each pair of versions is told until it is waved away. */
export async function tellVersion(
  context: ExtensionContext,
  own: string,
  server: string | undefined,
  where: string,
): Promise<void> {
  const text = advice(own, server, where);
  const silenced = `keywright.versions.${own}.${server ?? ''}`;
  if (text === undefined || context.globalState.get(silenced) === true) {
    return;
  }
  const chosen = await window.showWarningMessage(text, SETTINGS, INSTALL, SILENCE);
  if (chosen === SILENCE) {
    await context.globalState.update(silenced, true);
  }
  await answer(undefined, chosen);
}

async function answer(session: Session | undefined, chosen: string | undefined): Promise<void> {
  switch (chosen) {
    case SETTINGS:
      await openPath();
      break;
    case INSTALL:
      await commands.executeCommand('keywright.howToInstall');
      break;
    case RESTART:
      await session?.restart();
      break;
    case OUTPUT:
      session?.output.show();
      break;
  }
}

/** The setting is the machine's: where the server runs on another one, it stands in that one's tab only. */
async function openPath(): Promise<void> {
  const query = 'keywright.server.path';
  if (env.remoteName === undefined) {
    await commands.executeCommand('workbench.action.openSettings', query);
  } else {
    await commands.executeCommand('workbench.action.openRemoteSettings', { query });
  }
}
