import { homedir } from 'node:os';
import {
  commands,
  type Disposable,
  EventEmitter,
  type ExtensionContext,
  type LogOutputChannel,
  window,
  workspace,
} from 'vscode';
import { ExecuteCommandRequest } from 'vscode-languageclient/node';
import { answered, QuietClient } from './client';
import { Crashes, ending } from './crashes';
import { bundledServer, type Found, isFound, lookUp, type Missing } from './lookup';
import { isProgram, makeProgram } from './process';
import { tellCrash, tellFailure, tellMissing, tellVersion } from './messages';
import { TraceChannel } from './traceChannel';

export type State = 'stopped' | 'starting' | 'running' | 'failed';

/** The one server of this window: looked up, started, watched, started again. */
export class Session implements Disposable {
  readonly output: LogOutputChannel = window.createOutputChannel('Keywright', { log: true });
  private readonly trace = new TraceChannel(this.output);
  private readonly changed = new EventEmitter<State>();
  readonly onDidChangeState = this.changed.event;

  private client: QuietClient | undefined;
  private current: State = 'stopped';
  private readonly crashes = new Crashes();
  /** What was asked for last is done last: starts and stops wait for each other. */
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly context: ExtensionContext) {}

  get state(): State {
    return this.current;
  }

  /** The process that runs, for whoever wants to look at it. */
  get pid(): number | undefined {
    return this.client?.pid;
  }

  start(): Promise<void> {
    return this.enqueue(() => this.startNow());
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  /** As somebody wishes: what went wrong before is forgotten. */
  restart(): Promise<void> {
    return this.enqueue(async () => {
      this.crashes.forget();
      await this.stopNow();
      await this.startNow();
    });
  }

  /** Runs a command of the server; fails where none is running. */
  async run<T>(command: string, argument: unknown): Promise<T> {
    // A command may be what the extension was started for.
    await this.queue;
    const client = this.client;
    if (client === undefined || this.current !== 'running') {
      throw new NotRunning();
    }
    return client.sendRequest(ExecuteCommandRequest.type, { command, arguments: [argument] }) as Promise<T>;
  }

  dispose(): void {
    void this.stop().finally(() => {
      this.trace.dispose();
      this.output.dispose();
      this.changed.dispose();
    });
  }

  private enqueue(work: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(work).catch(error => this.output.error(String(error)));
    return this.queue;
  }

  private lookUp(): Found | Missing {
    const extension = this.context.extensionPath;
    makeProgram(bundledServer({ platform: process.platform, extension }));
    return lookUp({
      platform: process.platform,
      setting: workspace.getConfiguration('keywright').get<string>('server.path', ''),
      extension,
      home: homedir(),
      folder: workspace.workspaceFolders?.[0]?.uri.fsPath,
      searchPath: process.env['PATH'] ?? '',
      isProgram,
    });
  }

  private async startNow(): Promise<void> {
    if (this.client !== undefined) {
      return;
    }
    const found = this.lookUp();
    if (!isFound(found)) {
      this.become('failed');
      this.output.error(`There is no server to start (looked for last in: ${found.place}).`);
      void tellMissing(this, found);
      return;
    }
    this.become('starting');
    this.output.info(`Starting ${found.command} (${described(found)})`);
    const client = new QuietClient(found, this.output, this.trace, () => this.ended(client));
    this.client = client;
    try {
      await answered(client.start());
      const { name } = client.initializeResult?.serverInfo ?? {};
      if (name !== 'keywright') {
        throw new Error(`it says that it is ${name ?? 'a server without a name'}`);
      }
      if (!client.isRunning()) {
        throw new Error('it is gone again');
      }
    } catch (error) {
      this.client = undefined;
      this.become('failed');
      void tellFailure(this, found, await reason(error, client));
      await client.dispose().catch(() => {});
      client.kill();
      return;
    }
    client.quiet = false;
    this.become('running');
    const version = client.initializeResult?.serverInfo?.version;
    const own = String(this.context.extension.packageJSON.version);
    this.output.info(`Server ${version ?? 'without a version'}, extension ${own}`);
    void tellVersion(this.context, own, version, described(found));
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      await client.dispose(5000).catch(error => this.output.warn(`The server did not stop in time: ${error}`));
    }
    this.become('stopped');
  }

  /** The server went by itself. */
  private ended(client: QuietClient): void {
    if (client !== this.client || this.current !== 'running') {
      return; // Stopped by us, or never came up, which is told where it was started.
    }
    this.client = undefined;
    this.become('stopped');
    const verdict = this.crashes.note(Date.now());
    // How a process ended is known a moment after its pipes close.
    void client.ended(2000).then(how => {
      tellCrash(this, how ?? ending(null, null), verdict);
      void client.dispose().catch(() => {});
    });
    if (verdict.restart) {
      void this.start();
    } else {
      this.become('failed');
    }
  }

  private become(state: State): void {
    if (this.current !== state) {
      this.current = state;
      this.changed.fire(state);
      // The commands of the server are there while it runs.
      void commands.executeCommand('setContext', 'keywright.running', state === 'running');
    }
  }
}

/** Nobody can answer. */
export class NotRunning extends Error {
  constructor() {
    super('The Keywright server is not running.');
  }
}

function described(found: Found): string {
  switch (found.source) {
    case 'setting':
      return 'from the setting keywright.server.path';
    case 'bundled':
      return 'the one of the extension';
    case 'path':
      return 'from the PATH';
  }
}

/** Why a server did not come up, as what follows "cannot use it as its server". */
async function reason(error: unknown, client: QuietClient): Promise<string> {
  const text = error instanceof Error ? error.message : String(error);
  if (client.pid === undefined) {
    return text;
  }
  const how = await client.ended(500);
  return how === undefined ? `it starts, but gives no usable answer: ${text}` : `it ${how} before it answered`;
}
