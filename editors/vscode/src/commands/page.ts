import { type Diagnostic, languages, QuickPickItemKind, type QuickPickItem, window } from 'vscode';
import { explainAddress } from '../pages/address';
import { showPage } from '../pages/provider';
import { rules } from './rules';

/**
 * Shows the page of a rule or a concept: the one that is named, the one whose
 * finding the cursor is in, or one that is picked.
 */
export async function openPage(name?: unknown): Promise<void> {
  if (typeof name === 'string' && name !== '') {
    await showPage(explainAddress(name));
    return;
  }
  const here = findingsAtCursor();
  const chosen = here.length === 1 ? here[0] : await pick(here);
  if (chosen !== undefined) {
    await showPage(explainAddress(chosen));
  }
}

function findingsAtCursor(): string[] {
  const editor = window.activeTextEditor;
  if (editor?.document.languageId !== 'dynamo') {
    return [];
  }
  const found = languages.getDiagnostics(editor.document.uri);
  const names = found.filter(finding => finding.range.contains(editor.selection.active)).map(ruleOf);
  return [...new Set(names.filter(name => name !== undefined))];
}

function ruleOf(finding: Diagnostic): string | undefined {
  if (finding.source !== 'keywright') {
    return undefined;
  }
  const code = typeof finding.code === 'object' ? finding.code.value : finding.code;
  return code === undefined ? undefined : String(code);
}

/** Lists the rules, those of the findings at the cursor first; any other word is taken as it is. */
function pick(first: readonly string[]): Promise<string | undefined> {
  const items: QuickPickItem[] = [];
  if (first.length > 0) {
    items.push({ label: 'At the cursor', kind: QuickPickItemKind.Separator });
    items.push(...first.map(label => ({ label, detail: rules.get(label) ?? '' })));
    items.push({ label: 'All rules', kind: QuickPickItemKind.Separator });
  }
  items.push(...[...rules].map(([label, detail]) => ({ label, detail })));
  const box = window.createQuickPick();
  box.title = 'Keywright: Open the Page of a Rule or Concept';
  box.placeholder = 'A rule, or a concept such as sparse index or write sharding';
  box.matchOnDetail = true;
  box.items = items;
  return new Promise(resolve => {
    box.onDidAccept(() => {
      resolve(box.selectedItems[0]?.label ?? (box.value.trim() || undefined));
      box.hide();
    });
    box.onDidHide(() => {
      resolve(undefined);
      box.dispose();
    });
    box.show();
  });
}
