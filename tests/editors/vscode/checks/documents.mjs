// The documents of a model are made, and read with their diagrams.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, expectContains } from '../check.mjs';
import { until } from '../wait.mjs';

const MODEL = 'shop.dynamo';
const REQUIREMENT = 'dynamodb_requirement.md';
const DATA_MODEL = 'dynamodb_data_model.md';

export const documents = {
  name: 'documents',
  editor: 'full',
  checks: [
    ['*Generate* makes the requirement document', async t => {
      t.w = await t.editor.window(MODEL);
      const { w } = t;
      await w.openFile(MODEL);
      // A page beside the model has the keyboard: nothing may come to lie in its column, or beside that.
      await w.command('Keywright: Show What the Model Costs');
      await w.webview('h1:has-text("a month")');
      await w.page.keyboard.press('Control+2');
      await w.command('Keywright: Generate the Requirement Document');
      await until(`${REQUIREMENT} on disk`, () => existsSync(join(w.folder, REQUIREMENT)));
    }],
    ['its preview comes by itself, with the diagram drawn', async ({ w }) => {
      const preview = await w.webview('h1:has-text("DynamoDB")');
      await until('a diagram in the preview', async () => (await preview.locator('svg[aria-roledescription]').count()) > 0, {
        state: () => preview.locator('body').innerText(),
      });
      const names = await preview.locator('svg[aria-roledescription]').first().textContent();
      for (const entity of ['User', 'Order', 'Product']) expectContains(names, entity, 'the diagram');
      await w.hasKeyboard(MODEL);
      expect((await w.columns()) === 2, `the preview has to lie over the page beside the model, there are ${await w.columns()} columns`);
    }],
    ['the data model document is made beside it, and shown', async ({ w }) => {
      await w.openFile(MODEL);
      await w.command('Keywright: Generate the Data Model Document');
      await until(`${DATA_MODEL} on disk`, () => existsSync(join(w.folder, DATA_MODEL)));
      const preview = await w.webview('h1:has-text("DynamoDB Data Model")');
      await w.hasKeyboard(MODEL);
      await until('its diagrams', async () => (await preview.locator('svg[aria-roledescription]').count()) > 0, {
        state: () => preview.locator('body').innerText(),
      });
      expect((await w.columns()) === 2, `there are ${await w.columns()} columns`);
    }],
    ['what is typed into a document and not saved survives the next *Generate*', async ({ w }) => {
      await w.openFile(REQUIREMENT);
      await w.page.keyboard.press('Control+End');
      await w.page.keyboard.insertText('\n\nOnly the reviewers know this.\n');
      await w.openFile(MODEL);
      await w.replace(MODEL, '/// A person who buys.', '/// Whoever buys from us.');
      await w.command('Keywright: Generate the Requirement Document');
      await w.webview('p:has-text("Whoever buys from us."), li:has-text("Whoever buys from us."), td:has-text("Whoever buys from us.")');
      await w.hasKeyboard(MODEL);
      await w.openFile(REQUIREMENT);
      await until('the new words of the model', async () => {
        await w.save();
        return w.read(REQUIREMENT).includes('Whoever buys from us.');
      }, { state: () => w.read(REQUIREMENT).slice(0, 1000) });
      expectContains(w.read(REQUIREMENT), 'Only the reviewers know this.', REQUIREMENT);
      expect(!w.read(REQUIREMENT).includes('A person who buys.'), 'the old words of the model are still in the document');
    }],
    ['a document that is opened later shows its preview too', async ({ w }) => {
      await w.command('File: Save All Files');
      await until('everything to be saved', async () => (await w.page.locator('.tab.dirty').count()) === 0);
      await w.command('View: Close All Editors');
      await until('all tabs to close', async () => (await w.page.locator('.tab').count()) === 0);
      await w.openFile(REQUIREMENT);
      const preview = await w.webview('h1:has-text("DynamoDB Modeling Session")');
      await preview.locator('svg[aria-roledescription]').first().waitFor();
    }],
    ['its preview goes to the other column where it is opened in the last one', async ({ w }) => {
      await w.command('View: Close All Editors');
      await until('all tabs to close', async () => (await w.page.locator('.tab').count()) === 0);
      await w.openFile(MODEL);
      await w.command('View: Split Editor Right');
      await until('two columns', async () => (await w.columns()) === 2);
      await w.openBeside(DATA_MODEL);
      await w.webview('h1:has-text("DynamoDB Data Model")');
      await until('the text of the document to have the keyboard, in one of two columns', async () =>
        (await w.columns()) === 2 && (await w.page.locator(`.editor-group-container.active .tab.active[data-resource-name="${DATA_MODEL}"]`).count()) === 1,
      { state: () => w.columns() });
      await w.command('View: Close All Editors');
      await w.openFile(REQUIREMENT);
      await w.webview('h1:has-text("DynamoDB Modeling Session")');
    }],
    ['and what is typed then goes into the document', async ({ w }) => {
      await w.hasKeyboard(REQUIREMENT);
      await w.page.keyboard.press('Control+End');
      await w.page.keyboard.insertText('Typed at once.\n');
      await w.save();
      expectContains(w.read(REQUIREMENT), 'Typed at once.', REQUIREMENT);
    }],
  ],
};
