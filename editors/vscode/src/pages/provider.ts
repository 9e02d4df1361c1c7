import {
  commands,
  type Disposable,
  EventEmitter,
  languages,
  type TextDocument,
  type TextDocumentContentProvider,
  Uri,
  ViewColumn,
  workspace,
} from 'vscode';
import { columnBeside } from '../columns';
import { columns } from '../tabs';
import { NotRunning, type Session } from '../server/session';
import { type Address, pageAt, SCHEME } from './address';

/** Shows pages of the server: what rules and concepts are, and what models cost. */
export class Pages implements TextDocumentContentProvider, Disposable {
  private readonly changed = new EventEmitter<Uri>();
  readonly onDidChange = this.changed.event;
  private readonly parts: Disposable[];

  constructor(private readonly session: Session) {
    this.parts = [
      this.changed,
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      workspace.onDidOpenTextDocument(speakMarkdown),
      // A page that could not be had is there once the server is.
      session.onDidChangeState(state => state === 'running' && this.refresh(() => true)),
    ];
    workspace.textDocuments.forEach(speakMarkdown);
  }

  async provideTextDocumentContent(uri: Uri): Promise<string> {
    const page = pageAt(uri);
    try {
      switch (page?.kind) {
        case 'explain':
          return await this.session.run<string>('keywright.explain', { name: page.name });
        case 'cost':
          return await this.cost(page.file);
        case undefined:
          return `There is no page at \`${uri.toString(true)}\`.\n`;
      }
    } catch (error) {
      if (error instanceof NotRunning) {
        return 'This page comes from the Keywright server, which is not running. *Keywright: Restart Server* starts it.\n';
      }
      return `${error instanceof Error ? error.message : String(error)}\n`;
    }
  }

  private async cost(file: string): Promise<string> {
    const { models } = await this.session.run<Costs>('keywright.showCost', { uri: file });
    return models.map(model => model.markdown).join('\n');
  }

  /** Makes the pages anew that are open and that somebody wants anew. */
  refresh(wanted: (kind: 'explain' | 'cost') => boolean): void {
    for (const document of workspace.textDocuments) {
      const page = document.uri.scheme === SCHEME ? pageAt(document.uri) : undefined;
      if (page !== undefined && wanted(page.kind)) {
        this.changed.fire(document.uri);
      }
    }
  }

  dispose(): void {
    this.parts.forEach(part => part.dispose());
  }
}

/**
 * Shows a page beside what is in front, in the editor's preview of Markdown. The
 * manifest associates the scheme with that, so that the links of findings open
 * the same.
 */
export async function showPage(address: Address): Promise<void> {
  const page = Uri.from({ scheme: SCHEME, ...address });
  const column = columnBeside(columns()) ?? ViewColumn.Beside;
  await commands.executeCommand('vscode.openWith', page, 'vscode.markdown.preview.editor', column);
}

interface Costs {
  readonly models: readonly { readonly markdown: string }[];
}

/** The addresses of findings have no ending by which an editor would know. */
function speakMarkdown(document: TextDocument): void {
  if (document.uri.scheme === SCHEME && document.languageId !== 'markdown') {
    void languages.setTextDocumentLanguage(document, 'markdown');
  }
}
