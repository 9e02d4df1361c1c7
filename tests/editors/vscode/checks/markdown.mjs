// Models in Markdown, and new ones.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, expectContains } from '../check.mjs';
import { until } from '../wait.mjs';

const NOTES = 'notes.md';

export const markdown = {
  name: 'templates',
  editor: 'full',
  checks: [
    ['fences of Markdown are highlighted', async t => {
      t.w = await t.editor.window('README.md', folder => {
        const fence = name => `\`\`\`${name}\n/// Of ${name}.\nentity In_${name} {\n  id: uuid @id @example("${name} text")\n}\n\`\`\`\n`;
        writeFileSync(join(folder, NOTES), `# Notes\n\n${fence('dynamo')}\n${fence('keywright')}\n${fence('text')}`);
      });
      const { w } = t;
      await w.openFile(NOTES);
      const colours = async name => {
        const parts = [`In_${name}`, `/// Of ${name}`, `"${name} text"`];
        const found = await Promise.all(parts.map(part => w.colour(part)));
        return new Set(found.map(one => one?.colour)).size;
      };
      for (const name of ['dynamo', 'keywright']) {
        await until(`the fence \`${name}\` in colours`, async () => (await colours(name)) === 3, { state: () => colours(name) });
      }
      expect((await colours('text')) === 1, 'a fence of another language has colours of models');
    }],
    ['*New Model* opens a model without a problem, that is saved without a question', async ({ w }) => {
      await w.command('Keywright: New Model');
      await w.choose('Single table');
      await w.tab('model.dynamo');
      await until('the lenses of the new model', async () => (await w.lenses()).length > 0, { state: () => w.lines() });
      await w.save();
      const text = w.read('model.dynamo');
      expectContains(text, 'single_table', 'the new model');
      const rows = (await w.problems()).join('\n');
      const faults = await w.page.locator('.markers-panel .marker-icon.error, .markers-panel .marker-icon.warning').count();
      expect(faults === 0, `the new model has problems:\n${rows}`);
    }],
  ],
};
