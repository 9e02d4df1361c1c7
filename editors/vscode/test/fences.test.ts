// The colours of models in a Markdown preview.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { type Colour, parts } from '../src/fences/colours.ts';

const PROJECT = path.resolve(import.meta.dirname, '..', '..', '..');
const read = (file: string): string => readFileSync(path.join(PROJECT, file), 'utf8');

const nodes: { type: string; named: boolean }[] = JSON.parse(read('grammar/src/node-types.json'));
const WORDS = new Set(nodes.filter(({ named }) => !named).map(({ type }) => type));

/** What has a colour, by colour. */
function coloured(source: string): Partial<Record<Colour, string[]>> {
  const all: Partial<Record<Colour, string[]>> = {};
  for (const { text, colour } of parts(source, WORDS)) {
    if (colour !== undefined) {
      (all[colour] ??= []).push(text);
    }
  }
  return all;
}

describe('the fences of a preview', () => {
  test('have words, names, types, values and comments in colours of their own', () => {
    const model = `/// A buyer.
entity User {
  user_id: uuid @id @distinct(10k)   // from the account
  count:   number?
  tags:    set<string>
  size 400B
}
table Users { partition key user_id because "One at a \\"time\\"." item User }
pattern Find { query Users where user_id = :user_id and sk begins_with "A#" limit 20 rate avg 2/s, peak 20/s }
`;
    assert.deepEqual(coloured(model), {
      comment: ['/// A buyer.', '// from the account'],
      keyword: ['entity', 'size', 'table', 'partition', 'key', 'because', 'item', 'pattern', 'query', 'where', 'and', 'begins_with', 'limit', 'rate', 'avg', 'peak'],
      title: ['User', 'Users', 'User', 'Find'],
      type: ['uuid', 'number', 'set', 'string'],
      meta: ['@id', '@distinct'],
      number: ['10k', '400B', '20', '2/s', '20/s'],
      string: ['"One at a \\"time\\"."', '"A#"'],
    });
  });
  test('leave names alone that are words of the language', () => {
    assert.deepEqual(coloured('{ key: string `table` = 1 :limit a.size }'), { type: ['string'], number: ['1'] });
  });
  test('lose nothing of a text, whole or broken', () => {
    for (const file of ['examples/shop.dynamo', 'examples/blog.dynamo', 'docs/rules/scan-pattern.md', 'docs/decisions.md']) {
      const text = read(file);
      assert.equal(parts(text, WORDS).map(part => part.text).join(''), text, file);
    }
    assert.deepEqual(parts('entity A { x: "un\n', new Set()).map(part => part.text).join(''), 'entity A { x: "un\n');
    assert.deepEqual(parts('', WORDS), []);
  });
});
