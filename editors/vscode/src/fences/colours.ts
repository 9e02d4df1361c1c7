/** What a piece of a model is, in the classes that a Markdown preview has colours for. */
export type Colour = 'comment' | 'string' | 'number' | 'meta' | 'type' | 'title' | 'keyword';

export interface Part {
  readonly text: string;
  readonly colour?: Colour;
}

/** The words behind which a declaration has its name. */
const DECLARES = 'application|entity|relationship|aggregate|table|pattern|workflow|gsi|lsi|item';

const TYPES = 'string|number|binary|boolean|timestamp|epoch|uuid|ulid|ksuid|enum|list|set|map';

const NAME = '(?:`[^`\\n]+`|[A-Za-z_]\\w*)';

/** Words that the grammar has inside of larger tokens. */
const MORE: ReadonlySet<string> = new Set(
  'avg batch begins_with between contains exists get max not_exists or peak transact write'.split(' '),
);

/** Each alternative is a group of its own, named after its colour. */
const PIECES = new RegExp(
  [
    '(?<comment>//.*)',
    '(?<string>"(?:\\\\.|[^"\\\\\\n])*"?)',
    '(?<meta>@\\w+)',
    `(?<=(?<![\\w@.:-])(?:${DECLARES})[ \\t]+)(?<title>${NAME})(?!\\s*[:=.])`,
    `(?<type>(?<=:\\s*|[<,]\\s*)(?:${TYPES})\\b)`,
    '(?<number>\\$?(?<![\\w])\\d[\\d_.]*(?:[A-Za-z%]+)?(?:/[a-z]+)?)',
    '(?<word>(?<![\\w@.:-])[A-Za-z_]\\w*(?![\\w-]|\\s*[:=.]))',
    // What is quoted is a name, and the rest of a word is none of the above.
    '(?:`[^`\\n]*`?|:?[A-Za-z_]\\w*)',
  ].join('|'),
  'g',
);

/**
 * Takes a model apart for a preview, which has no grammar to go by: the words of
 * the language, and what any text has. `words` are those of the grammar.
 */
export function parts(source: string, words: ReadonlySet<string>): Part[] {
  const all: Part[] = [];
  let end = 0;
  for (const found of source.matchAll(PIECES)) {
    const [name] = Object.entries(found.groups ?? {}).find(([, text]) => text !== undefined) ?? [];
    const colour = name === 'word' ? (words.has(found[0]) || MORE.has(found[0]) ? 'keyword' : undefined) : (name as Colour | undefined);
    if (colour !== undefined) {
      if (found.index > end) {
        all.push({ text: source.slice(end, found.index) });
      }
      all.push({ text: found[0], colour });
      end = found.index + found[0].length;
    }
  }
  if (end < source.length) {
    all.push({ text: source.slice(end) });
  }
  return all;
}
