import { type TextEditor, type Uri, window, workspace } from 'vscode';

/** More models than these are not listed: whoever has them opens the one that is meant. */
const MOST = 200;

/** The model whose editor is in front, else one that the user picks. */
export async function modelInFront(question: string): Promise<Uri | undefined> {
  const editors = [window.activeTextEditor, ...window.visibleTextEditors];
  const shown = editors.find(editor => editor?.document.languageId === 'dynamo');
  if (shown !== undefined) {
    return shown.document.uri;
  }
  const files = await workspace.findFiles('**/*.dynamo', undefined, MOST);
  if (files.length === 0) {
    void window.showInformationMessage('Keywright: there is no .dynamo file in this workspace.');
    return undefined;
  }
  const items = files
    .map(uri => ({ label: workspace.asRelativePath(uri), uri }))
    .sort((one, other) => one.label.localeCompare(other.label));
  const chosen = items.length === 1 ? items[0] : await window.showQuickPick(items, { placeHolder: question });
  return chosen?.uri;
}

/**
 * The editor of a model, if there is one, once it has the keyboard. What is opened
 * next comes into its column then, and not among the pages beside it.
 */
export async function bringToFront(model: Uri): Promise<TextEditor | undefined> {
  const shown = window.visibleTextEditors.find(editor => editor.document.uri.toString() === model.toString());
  const isInFront = shown?.viewColumn === window.tabGroups.activeTabGroup.viewColumn;
  return shown === undefined || isInFront ? shown : window.showTextDocument(shown.document, shown.viewColumn);
}
