/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

// Colours the models in the fences of a Markdown preview, by the classes that it
// has colours for: the preview knows the languages of its own library only.

import grammar from '../../../../grammar/src/node-types.json';
import { parts } from './colours';

/** The words of the language. */
const WORDS: ReadonlySet<string> = new Set(
  grammar.filter(({ named, type }) => !named && /^[a-z]/i.test(type)).map(({ type }) => type),
);

/** Colours every model that has no colours yet. */
export function colourAll(): void {
  for (const code of document.querySelectorAll<HTMLElement>('pre > code.language-dynamo, pre > code.language-keywright')) {
    if (code.firstElementChild !== null) {
      continue;
    }
    const pieces = parts(code.textContent ?? '', WORDS).map(({ text, colour }) => {
      if (colour === undefined) {
        return text;
      }
      const piece = document.createElement('span');
      piece.className = `hljs-${colour}`;
      piece.textContent = text;
      return piece;
    });
    code.replaceChildren(...pieces);
  }
}
