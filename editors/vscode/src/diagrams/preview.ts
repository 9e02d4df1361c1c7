/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

// Draws the diagrams of generated documents in a Markdown preview that does not
// draw them itself. One that does, or another extension, has taken them out of
// their fences by the time that this script looks, and it finds nothing to do.

import { canDraw, themeFor } from './kinds';

interface Mermaid {
  initialize(config: object): void;
  render(id: string, source: string): Promise<{ svg: string }>;
}

declare global {
  interface Window {
    keywrightMermaid?: Mermaid;
  }
}

const script = document.currentScript as HTMLScriptElement | null;
const sources = new Map<HTMLElement, string>();
/** What is drawn already, or is about to be, or cannot be. */
const begun = new WeakMap<HTMLElement, string>();
let loading: Promise<Mermaid> | undefined;
let count = 0;

/** Mermaid is large, and most previews hold no diagram: it is fetched for the first one. */
function mermaid(): Promise<Mermaid> {
  loading ??= new Promise((resolve, reject) => {
    const element = document.createElement('script');
    element.src = new URL('mermaid.js', script?.src).toString();
    // The preview runs scripts by their nonce only, which goes with the one that is let in.
    element.nonce = script?.nonce ?? '';
    element.onload = () => {
      const loaded = window.keywrightMermaid;
      return loaded === undefined ? reject(new Error('Mermaid is not there')) : resolve(loaded);
    };
    element.onerror = () => reject(new Error('Mermaid cannot be loaded'));
    document.head.append(element);
  });
  return loading;
}

async function draw(place: HTMLElement, source: string): Promise<void> {
  const library = await mermaid();
  library.initialize({
    startOnLoad: false,
    // What cannot be drawn stays as it is written.
    suppressErrorRendering: true,
    layout: 'dagre',
    theme: themeFor(document.body.className),
  });
  const { svg } = await library.render(`keywright-diagram-${++count}`, source);
  place.innerHTML = svg;
}

/** Draws what is not drawn yet. */
export function drawAll(): void {
  for (const place of sources.keys()) {
    if (!place.isConnected) {
      sources.delete(place);
    }
  }
  for (const code of document.querySelectorAll<HTMLElement>('pre > code.language-mermaid')) {
    const source = code.textContent ?? '';
    const fence = code.parentElement;
    if (fence === null || !canDraw(source) || begun.get(code) === source) {
      continue;
    }
    begun.set(code, source);
    const place = document.createElement('div');
    place.className = 'keywright-diagram';
    draw(place, source).then(
      () => {
        // The text may have changed meanwhile.
        if (fence.isConnected && code.textContent === source) {
          sources.set(place, source);
          fence.replaceWith(place);
        }
      },
      error => console.warn('Keywright: a diagram stays as it is written:', error),
    );
  }
}

let theme = themeFor(document.body.className);
new MutationObserver(() => {
  const now = themeFor(document.body.className);
  if (now !== theme) {
    theme = now;
    for (const [place, source] of sources) {
      void draw(place, source).catch(() => {});
    }
  }
}).observe(document.body, { attributeFilter: ['class'] });
