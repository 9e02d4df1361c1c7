import type { ChildProcess } from 'node:child_process';
import type { LogOutputChannel } from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State as ClientState,
} from 'vscode-languageclient/node';
import { ending } from './crashes';
import type { Found } from './lookup';
import { launch } from './process';

/**
 * The client; what happens to its connection is told by the session, with
 * words and buttons of its own, and never twice.
 */
export class QuietClient extends LanguageClient {
  quiet = true;
  /** The server has ended, or is about to because it was asked to. */
  private isGone = false;
  private how: Promise<string> | undefined;
  private server: ChildProcess | undefined;

  constructor(found: Found, private readonly log: LogOutputChannel, trace: LogOutputChannel, ended: () => void) {
    super(
      'keywright',
      'Keywright',
      async () => {
        const server = await launch(found);
        this.server = server;
        this.how = new Promise(resolve => server.once('exit', (code, signal) => resolve(ending(code, signal))));
        return { process: server, detached: false };
      },
      {
        // The old side of a comparison is a document as well, and nobody wants it judged.
        documentSelector: ['file', 'untitled'].map(scheme => ({ scheme, language: 'dynamo' })),
        outputChannel: log,
        traceOutputChannel: trace,
        revealOutputChannelOn: RevealOutputChannelOn.Never,
        initializationFailedHandler: () => false,
        errorHandler: {
          error: (_error, _message, count) => ({
            action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown,
            handled: true,
          }),
          closed: () => {
            this.quiet = true;
            this.isGone = true;
            return { action: CloseAction.DoNotRestart, handled: true };
          },
        },
      },
    );
    this.onDidChangeState(event => {
      if (event.newState === ClientState.Stopped) {
        ended();
      }
    });
  }

  get pid(): number | undefined {
    return this.server?.pid;
  }

  /** Ends a process that did not answer, and will not when it is asked to leave. */
  kill(): void {
    this.server?.kill();
  }

  /** How the process ended, if it does within this time. */
  ended(within: number): Promise<string | undefined> {
    const late = new Promise<undefined>(resolve => setTimeout(() => resolve(undefined), within));
    return Promise.race([this.how ?? late, late]);
  }

  override dispose(timeout?: number): Promise<void> {
    this.isGone = true;
    return super.dispose(timeout);
  }

  override error(message: string, data?: unknown, show?: boolean | 'force'): void {
    // Whatever the editor asks meanwhile fails, each with a trace of the library.
    // Why there is no server is told once, by the session.
    if (this.isGone) {
      this.log.debug(`${message} The server is gone.`);
      return;
    }
    super.error(message, data, this.quiet ? false : show);
  }
}

/** A program that is no language server may never answer. */
const PATIENCE_MS = 30_000;

/** Waits for a client to have started, but not for ever. */
export async function answered(start: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE_MS / 1000} seconds`)), PATIENCE_MS);
  });
  try {
    await Promise.race([start, late]);
  } finally {
    clearTimeout(timer);
  }
}
