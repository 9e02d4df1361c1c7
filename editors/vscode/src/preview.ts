/// <reference lib="dom" />

// What runs in every Markdown preview, whenever there is something new in it. The
// preview tells of new texts, but not of its first one, which comes before or
// after this script.

import { drawAll } from './diagrams/preview';
import { colourAll } from './fences/preview';

function all(): void {
  drawAll();
  colourAll();
}

new MutationObserver(all).observe(document.body, { childList: true, subtree: true });
all();
