import {
  type Disposable,
  languages,
  MarkdownString,
  StatusBarAlignment,
  ThemeColor,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { Session } from '../server/session';
import { type ModelStatus, shown } from './text';

/** How long typing has to pause before the server is asked. */
const PAUSE_MS = 300;

/**
 * What is found in the model of the file in front and what it costs, in the
 * status bar. One small question to the server after each pause in typing; the
 * answer comes from what the server has computed for the findings anyway.
 */
export class Status implements Disposable {
  private readonly item = window.createStatusBarItem('keywright.status', StatusBarAlignment.Left, 10);
  private readonly parts: Disposable[];
  private timer: NodeJS.Timeout | undefined;
  /** Answers may overtake each other: only that to the last question counts. */
  private question = 0;

  constructor(
    private readonly session: Session,
    private readonly changed: () => void,
  ) {
    this.item.name = 'Keywright';
    const settings = workspace.createFileSystemWatcher('**/keywright.toml');
    const soon = (): void => this.soon();
    this.parts = [
      this.item,
      settings,
      settings.onDidChange(soon),
      settings.onDidCreate(soon),
      settings.onDidDelete(soon),
      session.onDidChangeState(() => this.now()),
      window.onDidChangeActiveTextEditor(() => this.now()),
      workspace.onDidChangeTextDocument(event => {
        if (event.document.languageId === 'dynamo' || event.document.fileName.endsWith('keywright.toml')) {
          soon();
        }
      }),
      // Files on the disk change as well, and come to light by their findings.
      languages.onDidChangeDiagnostics(event => {
        if (event.uris.some(uri => /\.dynamo$|keywright\.toml$/.test(uri.path))) {
          soon();
        }
      }),
      workspace.onDidChangeConfiguration(event => event.affectsConfiguration('keywright') && soon()),
    ];
    this.now();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.now(), PAUSE_MS);
  }

  private now(): void {
    clearTimeout(this.timer);
    const document = window.activeTextEditor?.document;
    if (document?.languageId !== 'dynamo') {
      // A page of costs may be what is in front.
      this.changed();
      // What was said of a server that was not there is over when it is.
      const isOver = this.session.state === 'running' && this.item.backgroundColor !== undefined;
      if (document !== undefined || isOver) {
        this.item.hide();
      }
      return;
    }
    switch (this.session.state) {
      case 'running':
        void this.ask(document.uri);
        break;
      case 'starting':
        this.show('$(loading~spin) Keywright', 'The server is starting.');
        break;
      case 'stopped':
      case 'failed':
        this.show('$(debug-disconnect) Keywright', 'The server is not running. Click to start it.', 'keywright.restartServer');
        this.item.backgroundColor = new ThemeColor('statusBarItem.errorBackground');
        break;
    }
  }

  private async ask(uri: Uri): Promise<void> {
    const question = ++this.question;
    const answer = await this.session
      .run<{ models: ModelStatus[] }>('keywright.modelStatus', { uri: uri.toString() })
      .catch(() => undefined);
    if (question !== this.question || this.session.state !== 'running') {
      return;
    }
    this.changed();
    const models = answer?.models.map(model => ({ ...model, root: workspace.asRelativePath(Uri.parse(model.root)) }));
    const status = shown(models ?? []);
    if (status === undefined) {
      this.show('$(database) Keywright', 'Nothing is known of this file.', 'keywright.showOutput');
      return;
    }
    this.show(status.text, status.tooltip, 'keywright.openCost');
  }

  private show(text: string, tooltip: string, command?: string): void {
    this.item.text = text;
    this.item.tooltip = new MarkdownString(tooltip);
    this.item.command = command;
    this.item.backgroundColor = undefined;
    const words = text.replace(/\$\([^)]*\)/g, '').trim();
    this.item.accessibilityInformation = { label: `Keywright: ${words === 'Keywright' ? tooltip : words}` };
    this.item.show();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.parts.forEach(part => part.dispose());
  }
}
