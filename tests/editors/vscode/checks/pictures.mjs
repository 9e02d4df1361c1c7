// The pictures of the READMEs: what the checks see, arranged for readers.

import { join } from 'node:path';

import { until } from '../wait.mjs';

const FILE = 'shop.dynamo';
const SIZE = { width: 1120, height: 640 };

/** A window without what says nothing about Keywright. */
async function window(t, source) {
  const w = await t.editor.window(source);
  await w.page.setViewportSize(SIZE);
  await w.openFile(FILE);
  await w.atWork();
  await until('the status item', async () => /\$\d/.test((await w.status()) ?? ''), { state: () => w.status() });
  await w.command('View: Toggle Primary Side Bar Visibility');
  return w;
}

async function take(t, w, name) {
  await w.page.mouse.move(SIZE.width - 2, 2);
  await w.page.screenshot({ path: join(t.options.pictures, `vscode-${name}.png`), animations: 'disabled' });
}

export const pictures = {
  name: 'pictures',
  editor: 'full',
  checks: [
    ['a problem and its quick fix', async t => {
      const w = await window(t, FILE);
      await w.replace(FILE, 'partition key user_id', 'partition key user_idx');
      await w.problem('key `user_idx` has no type');
      await w.openFile(FILE);
      await w.moveTo(104, 20);
      await w.squiggleUnder('user_idx');
      await until('the lens to have heard of it', async () => !(await w.lenses()).some(lens => lens.includes('{user_id}')), { state: () => w.lenses() });
      await w.fixes();
      await take(t, w, 'problem');
    }],
    ['a hover, with hints and lenses around it', async t => {
      const w = await window(t, FILE);
      await w.moveBefore(FILE, 'pattern GetProfile {', 'pattern '.length + 1);
      await w.hover();
      await take(t, w, 'hover');
    }],
    ['a generated document', async t => {
      const w = await window(t, FILE);
      await w.command('Keywright: Generate the Data Model Document');
      const preview = await w.webview('h1:has-text("DynamoDB Data Model")');
      const diagrams = preview.locator('svg[aria-roledescription]');
      await diagrams.first().waitFor();
      // With the wheel, as a reader does: scripts that scroll a page take the whole window along.
      const box = await diagrams.first().boundingBox();
      await w.page.mouse.move(box.x + 40, SIZE.height / 2);
      await w.page.mouse.wheel(0, box.y - 190);
      await until('the diagram to be in sight', async () => Math.abs((await diagrams.first().boundingBox()).y - 190) < 60);
      await take(t, w, 'document');
    }],
  ],
};
