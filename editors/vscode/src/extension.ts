import { commands, type ExtensionContext, Uri, workspace } from 'vscode';
import { openCost } from './commands/cost';
import { generate } from './commands/generate';
import { newModel } from './commands/newModel';
import { openPage } from './commands/page';
import { Previews } from './documents/preview';
import { Pages } from './pages/provider';
import { Session } from './server/session';
import { Status } from './status/item';

/** What other extensions, and tests, may ask. */
export interface Api {
  /** The process of the server that runs. */
  serverPid(): number | undefined;
}

let session: Session | undefined;

export async function activate(context: ExtensionContext): Promise<Api> {
  const current = new Session(context);
  session = current;
  const pages = new Pages(current);
  const previews = new Previews();
  const status = new Status(current, () => pages.refresh(kind => kind === 'cost'));
  const register = (name: string, run: (...args: unknown[]) => unknown): void => {
    context.subscriptions.push(commands.registerCommand(name, run));
  };
  register('keywright.newModel', () => newModel(context));
  register('keywright.generateRequirement', () => generate(current, previews, 'requirement'));
  register('keywright.generateDataModel', () => generate(current, previews, 'dataModel'));
  register('keywright.openPage', openPage);
  register('keywright.openCost', openCost);
  register('keywright.restartServer', () => current.restart());
  register('keywright.showOutput', () => current.output.show());
  register('keywright.howToInstall', () =>
    commands.executeCommand('markdown.showPreview', Uri.joinPath(context.extensionUri, 'walkthrough', 'install.md')),
  );
  const restart = (): void => void current.restart();
  context.subscriptions.push(
    current,
    pages,
    previews,
    status,
    workspace.onDidChangeConfiguration(event => event.affectsConfiguration('keywright.server.path') && restart()),
    // The path of the server does not count in a workspace that nobody trusts.
    workspace.onDidGrantWorkspaceTrust(() => hasOwnServer() && restart()),
  );
  await current.start();
  return { serverPid: () => current.pid };
}

export function deactivate(): Promise<void> | undefined {
  return session?.stop();
}

function hasOwnServer(): boolean {
  const setting = workspace.getConfiguration('keywright').inspect<string>('server.path');
  return (setting?.workspaceValue ?? setting?.workspaceFolderValue) !== undefined;
}
