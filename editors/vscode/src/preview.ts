/// <reference lib="dom" />

// What runs in every Markdown preview: once, and whenever the text has changed.

import { drawAll } from './diagrams/preview';
import { colourAll } from './fences/preview';

function all(): void {
  drawAll();
  colourAll();
}

window.addEventListener('vscode.markdown.updateContent', all);
all();
