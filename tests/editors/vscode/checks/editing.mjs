// A model is broken and mended again.

import { expect, expectContains, expectEqual } from '../check.mjs';
import { until } from '../wait.mjs';

const FILE = 'shop.dynamo';

export const editing = {
  name: 'editing',
  editor: 'full',
  checks: [
    ['a broken key shows its squiggle', async t => {
      t.w = await t.editor.window(FILE);
      const { w } = t;
      await w.openFile(FILE);
      t.before = w.read(FILE);
      await w.replace(FILE, 'partition key user_id', 'partition key user_idx');
      await w.squiggleUnder('user_idx');
    }],
    ['the status item counts it', async ({ w }) => {
      await until('one error in the status item', async () => /\/mo\s+1\s+\d+\s*$/.test((await w.status()) ?? ''), { state: () => w.status() });
    }],
    ['the problem list has it, and its link opens the page of the rule', async ({ w }) => {
      const row = await w.problem('key `user_idx` has no type');
      expectContains(await row.textContent(), 'Ln 104, Col 17', 'the problem');
      const link = row.locator('a', { has: w.page.locator('.marker-code') });
      expectEqual(await link.textContent(), 'unknown-name', 'the link of the problem');
      await link.click();
      await w.webview('h1:has-text("unknown-name")');
    }],
    ['the quick fix mends it', async t => {
      const { w } = t;
      await w.openFile(FILE);
      await w.moveTo(104, 20);
      await w.fix('Change to `user_id`');
      await until('the squiggle to go', async () => (await w.squiggles()).length === 0);
      await until('the problem to go', async () => !(await w.problems()).some(row => row.includes('user_idx')), { state: () => w.problems() });
      await w.openFile(FILE);
      await w.save();
      expect(w.read(FILE) === t.before, 'the file is not what it was before it was broken');
    }],
  ],
};
