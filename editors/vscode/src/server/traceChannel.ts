import {
  type Disposable,
  EventEmitter,
  LogLevel,
  type LogOutputChannel,
  type ViewColumn,
  workspace,
} from 'vscode';

/**
 * The output channel as the client's trace sees it. The client traces only
 * where the channel's log level says so; here the setting
 * `keywright.trace.server` alone decides, and holds at once.
 */
export class TraceChannel implements LogOutputChannel {
  private readonly changed = new EventEmitter<LogLevel>();
  readonly onDidChangeLogLevel = this.changed.event;
  private readonly following: Disposable;

  constructor(private readonly output: LogOutputChannel) {
    this.following = workspace.onDidChangeConfiguration(event => {
      if (event.affectsConfiguration('keywright.trace.server')) {
        this.changed.fire(this.logLevel);
      }
    });
  }

  get name(): string {
    return this.output.name;
  }

  get logLevel(): LogLevel {
    const wanted = workspace.getConfiguration('keywright').get<string>('trace.server', 'off');
    return wanted === 'off' ? LogLevel.Off : LogLevel.Trace;
  }

  trace(message: string, ...more: unknown[]): void {
    if (this.logLevel === LogLevel.Trace) {
      this.output.info(message, ...more);
    }
  }

  debug(message: string, ...more: unknown[]): void {
    this.trace(message, ...more);
  }

  info(message: string, ...more: unknown[]): void {
    this.output.info(message, ...more);
  }

  warn(message: string, ...more: unknown[]): void {
    this.output.warn(message, ...more);
  }

  error(error: string | Error, ...more: unknown[]): void {
    this.output.error(error, ...more);
  }

  append(text: string): void {
    this.output.append(text);
  }

  appendLine(line: string): void {
    this.output.appendLine(line);
  }

  replace(text: string): void {
    this.output.replace(text);
  }

  clear(): void {
    this.output.clear();
  }

  show(column?: ViewColumn | boolean, preserveFocus?: boolean): void {
    this.output.show(typeof column === 'boolean' ? column : preserveFocus);
  }

  hide(): void {
    this.output.hide();
  }

  dispose(): void {
    this.following.dispose();
    this.changed.dispose();
  }
}
