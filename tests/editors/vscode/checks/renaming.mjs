// A name is changed wherever it is used, in files that are open and in others.

import { until } from '../wait.mjs';

/** The text with the entity renamed: not in comments, nor in strings, nor within other names. */
const renamed = text => text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/.*|\bBuyer\b/g, part => (part === 'Buyer' ? 'Patron' : part));

export const renaming = {
  name: 'renaming',
  editor: 'full',
  checks: [
    ['a rename changes the other files too', async t => {
      t.w = await t.editor.window('large/marketplace');
      const { w } = t;
      await w.openFile('orders.dynamo');
      const files = ['orders.dynamo', 'people.dynamo', 'catalogue.dynamo', 'payments.dynamo', 'marketplace.dynamo'];
      const expected = Object.fromEntries(files.map(file => [file, renamed(w.read(file))]));
      // Before the server is there nothing can be renamed, and a key is pressed once.
      await w.atWork();
      await w.moveBefore('orders.dynamo', '@of(Buyer)', '@of('.length + 1);
      await w.rename('Patron');
      // VS Code saves what a refactoring has changed, in front or not.
      const others = () => files.filter(file => w.read(file) !== expected[file]);
      await until('all files to be renamed and nothing else to change', () => others().length === 0, { state: others });
    }],
    ['the renamed model has no error', async ({ w }) => {
      await w.openFile('people.dynamo');
      await w.moveBefore('people.dynamo', 'table Buyers {');
      await until('the lens of a table', async () => (await w.lenses()).some(lens => /\$\d/.test(lens)), { state: () => w.lenses() });
      await w.problems();
      const errors = w.page.locator('.markers-panel .monaco-list-row', { has: w.page.locator('.marker-icon.error') });
      await until('no error', async () => (await errors.count()) === 0, { state: () => errors.allTextContents() });
    }],
  ],
};
