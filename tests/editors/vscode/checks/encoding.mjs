// Columns are counted in UTF-16 here: what stands behind an emoji is found, underlined and changed exactly.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, expectContains } from '../check.mjs';
import { until } from '../wait.mjs';

const FILE = 'shop.dynamo';

export const encoding = {
  name: 'encoding',
  editor: 'full',
  checks: [
    ['UTF-16 was agreed on', async t => {
      t.w = await t.editor.window(FILE, folder => {
        const path = join(folder, FILE);
        const text = readFileSync(path, 'utf8');
        // An emoji is two units of UTF-16, four bytes of UTF-8 and one character.
        writeFileSync(path, text
          .replace('  boundary "The user and what they bought."\n', '')
          .replace('{\n  partition key user_id because', '{ boundary "🛒🛒" partition key user_idx because')
          .replace('because "One prefix an entity, and orders sort by time because ULIDs do."\n\n  item User {', 'because "🛒🛒🛒" item User {'));
      });
      await t.w.openFile(FILE);
      const told = () => [...t.editor.log().matchAll(/for code-server [^;]*; columns in ([^;]*);/g)].map(([, name]) => name);
      await until('the server to tell its encoding', () => told().length > 0, { state: () => t.editor.log().slice(-2000) });
      expect(told().every(name => name === 'UTF-16'), `UTF-16 is all that VS Code speaks, and the server counts in ${told()}`);
    }],
    ['a squiggle behind an emoji stands under its text', async ({ w }) => {
      await w.moveBefore(FILE, 'table UserOrders {');
      await w.squiggleUnder('user_idx');
      const row = await w.problem('key `user_idx` has no type');
      expectContains(await row.textContent(), `Ln 103, Col ${'table UserOrders { boundary "🛒🛒" partition key '.length + 1}`, 'the problem');
    }],
    ['a quick fix behind an emoji changes its text only', async ({ w }) => {
      await w.openFile(FILE);
      await w.moveBefore(FILE, 'user_idx', 2);
      await w.fix('Change to `user_id`');
      await until('the squiggle to go', async () => (await w.squiggles()).length === 0);
      await w.save();
      expectContains(w.read(FILE), '\ntable UserOrders { boundary "🛒🛒" partition key user_id because "Every', FILE);
    }],
    ['a rename behind an emoji changes its text only', async ({ w }) => {
      await w.moveBefore(FILE, 'User { sk', 2);
      await w.rename('Buyer');
      await until('the file to be changed', async () => (await w.lines()).some(line => line.includes('item Buyer')), { state: () => w.lines() });
      await w.save();
      expectContains(w.read(FILE), '  sort key sk: string because "🛒🛒🛒" item Buyer { sk = "PROFILE" }\n', FILE);
      expectContains(w.read(FILE), '\nentity Buyer {\n', FILE);
    }],
  ],
};
