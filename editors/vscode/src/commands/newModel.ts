import { commands, type ExtensionContext, Uri, window, workspace } from 'vscode';
import { freeName } from './freeName';

interface Style {
  readonly label: string;
  readonly detail: string;
  readonly template: string;
}

const STYLES: readonly Style[] = [
  {
    label: 'Aggregates',
    detail: 'A table for each group of entities that are read and written together. The default.',
    template: 'aggregate.dynamo',
  },
  {
    label: 'Single table',
    detail: 'All entities in one table, with generic keys and an overloaded index.',
    template: 'single_table.dynamo',
  },
];

/**
 * Opens a new model, with comments that say what each part is for. It is no
 * file until it is saved, so nothing has to be undone by who only looks.
 */
export async function newModel(context: ExtensionContext): Promise<void> {
  const style = await window.showQuickPick(STYLES, {
    title: 'Keywright: New Model',
    placeHolder: 'How shall the tables be designed? The model says so in one line, which can be changed.',
  });
  if (style === undefined) {
    return;
  }
  const template = Uri.joinPath(context.extensionUri, 'templates', style.template);
  const content = new TextDecoder().decode(await workspace.fs.readFile(template));
  const folder = workspace.workspaceFolders?.[0]?.uri;
  if (folder?.scheme !== 'file') {
    await window.showTextDocument(await workspace.openTextDocument({ language: 'dynamo', content }));
    return;
  }
  const taken = new Set((await workspace.fs.readDirectory(folder)).map(([name]) => name));
  for (const document of workspace.textDocuments) {
    taken.add(document.uri.path.split('/').pop() ?? '');
  }
  // An untitled document with a path is saved there without a question.
  const uri = Uri.joinPath(folder, freeName(taken)).with({ scheme: 'untitled' });
  const editor = await window.showTextDocument(await workspace.openTextDocument(uri));
  await editor.edit(edit => edit.insert(editor.document.positionAt(0), content));
  await commands.executeCommand('cursorTop');
}
