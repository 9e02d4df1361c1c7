import { commands, type Disposable, type Tab, TabInputText, TabInputWebview, type TextEditor, type Uri, window, workspace } from 'vscode';
import { columnBeside } from '../columns';
import { columns, isPreview, tabs } from '../tabs';
import { isGenerated, kindOf } from './names';

/** When the preview of a generated document comes by itself. */
type When = 'open' | 'generate' | 'never';

/** Between two looks at something that is waited for. */
const STEP_MS = 100;

/** How long an edit of the server is waited for, which may ask its user first. */
const PATIENCE_MS = 10_000;

/** How long a tab that is there may take to come to the front, if it does. */
const FRONT_MS = 10_000;

/** How long a preview that is in front may take the keyboard once more, when its page has come into its column. */
const SETTLING_MS = 1_000;

/**
 * Shows the preview of generated documents beside them. Who reads them wants
 * the diagrams and tables; who writes into them finds the text in its tab.
 */
export class Previews implements Disposable {
  private readonly following: Disposable;

  constructor() {
    this.following = window.tabGroups.onDidChangeTabs(event => {
      if (when() === 'open') {
        event.opened.forEach(tab => void this.opened(tab));
      }
    });
  }

  /**
   * Shows the documents that were just generated, once they are there. Whoever had
   * them made goes on writing in the model.
   */
  async generated(documents: readonly Uri[], model: TextEditor | undefined): Promise<void> {
    if (when() === 'never') {
      return;
    }
    // Where a page had the keyboard, the palette gives it back to that when it closes,
    // perhaps after the command began.
    await giveBack(model);
    for (const document of documents) {
      if (await isThere(document)) {
        await show(document);
      }
    }
    // A page that has just come may have the keyboard though the model is in front.
    if (model !== undefined && (isInFront(model.document.uri) || isPreviewInFront())) {
      await window.showTextDocument(model.document, model.viewColumn);
    }
  }

  private async opened(tab: Tab): Promise<void> {
    if (!(tab.input instanceof TabInputText) || kindOf(tab.input.uri.path) === undefined) {
      return;
    }
    const { uri } = tab.input;
    const document = await workspace.openTextDocument(uri);
    // Somebody else's file may have this name, and the tab may be gone again.
    if (isGenerated(document.getText()) && isOpen(uri)) {
      // Its editor is told of after its tab, and has to be known to get the keyboard back.
      await until(() => !tab.isActive || window.activeTextEditor?.document === document, FRONT_MS);
      await show(uri);
    }
  }

  dispose(): void {
    this.following.dispose();
  }
}

function when(): When {
  return workspace.getConfiguration('keywright').get<When>('documents.preview', 'open');
}

/** Previews that are on their way: a document that is generated is opened as well. */
const coming = new Map<string, Promise<void>>();

function show(document: Uri): Promise<void> {
  const key = document.toString();
  const shown = coming.get(key) ?? showNow(document).finally(() => coming.delete(key));
  coming.set(key, shown);
  return shown;
}

async function showNow(document: Uri): Promise<void> {
  const name = document.path.split('/').pop() ?? '';
  const isOfIt = (tab: Tab | undefined): boolean =>
    tab !== undefined && tab.input instanceof TabInputWebview && isPreview(tab) && tab.label.endsWith(name);
  const hasCome = (): boolean => isOfIt(window.tabGroups.activeTabGroup.activeTab);
  const isShown = (): boolean => tabs().some(isOfIt);
  if (isShown()) {
    return;
  }
  const writing = window.activeTextEditor;
  const before = columns();
  await commands.executeCommand('markdown.showPreviewToSide', document);
  // The command ends before its tab is told of, and before it is in front.
  await until(isShown, PATIENCE_MS);
  await until(hasCome, FRONT_MS);
  // Behind the last column the command opens another, whatever the others show.
  const column = columnBeside(before);
  if (column !== undefined && columns().all.length > before.all.length && hasCome()) {
    await commands.executeCommand('moveActiveEditor', { to: 'position', by: 'group', value: column });
    await until(hasCome, FRONT_MS);
  }
  for (let waited = 0; waited < SETTLING_MS; waited += STEP_MS) {
    if (hasCome()) {
      await giveBack(writing);
    }
    await step();
  }
}

/** A preview takes the keyboard: whoever was writing goes on writing. */
async function giveBack(writing: TextEditor | undefined): Promise<void> {
  if (writing !== undefined && isPreviewInFront()) {
    await window.showTextDocument(writing.document, writing.viewColumn);
  }
}

function isPreviewInFront(): boolean {
  const tab = window.tabGroups.activeTabGroup.activeTab;
  return tab !== undefined && isPreview(tab);
}

function isInFront(text: Uri): boolean {
  const input = window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof TabInputText && input.uri.toString() === text.toString();
}

async function until(condition: () => boolean, patience: number): Promise<void> {
  for (let waited = 0; waited < patience && !condition(); waited += STEP_MS) {
    await step();
  }
}

function step(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, STEP_MS));
}

function isOpen(uri: Uri): boolean {
  return tabs().some(tab => tab.input instanceof TabInputText && tab.input.uri.toString() === uri.toString());
}

/** Waits for a document that the server is making. */
async function isThere(uri: Uri): Promise<boolean> {
  const has = (): boolean =>
    workspace.textDocuments.some(document => document.uri.toString() === uri.toString() && isGenerated(document.getText()));
  for (let waited = 0; waited < PATIENCE_MS; waited += STEP_MS) {
    if (has()) {
      return true;
    }
    const saved = await workspace.fs.stat(uri).then(stat => stat.size > 0, () => false);
    if (saved) {
      return true;
    }
    await step();
  }
  return false;
}
