import { type Tab, TabInputCustom, TabInputWebview, window } from 'vscode';
import type { Columns } from './columns';

/** Every tab of the window. */
export function tabs(): Tab[] {
  return window.tabGroups.all.flatMap(group => group.tabs);
}

/** Whether a tab shows Markdown as it is read: a preview, or a page of ours. */
export function isPreview(tab: Tab): boolean {
  const { input } = tab;
  const is = input instanceof TabInputWebview || input instanceof TabInputCustom;
  // The editor puts words of its own before the type of a webview.
  return is && /markdown\.preview(?:\.editor)?$/.test(input.viewType);
}

/** The columns of the window. */
export function columns(): Columns {
  const { all, activeTabGroup } = window.tabGroups;
  return {
    all: all.map(group => group.viewColumn),
    active: activeTabGroup.viewColumn,
    isPage: activeTabGroup.activeTab !== undefined && isPreview(activeTabGroup.activeTab),
  };
}
