// Which server is started, and what is said where there is none.

import { chmodSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, expectContains } from '../check.mjs';
import { until } from '../wait.mjs';

const FILE = 'shop.dynamo';

/** A program that starts the server and leaves a file that says so. */
function wrapper(folder, name, server) {
  const [program, trace] = [join(folder, name), join(folder, `${name}.started`)];
  writeFileSync(program, `#!/bin/sh\n: > '${trace}'\nexec '${server}' "$@"\n`);
  chmodSync(program, 0o755);
  rmSync(trace, { force: true });
  return { program, started: () => existsSync(trace) };
}

export const chosen = {
  name: 'server-path',
  editor: 'full',
  checks: [
    ['a set `keywright.server.path` wins over the bundled server, at once', async t => {
      const w = await t.editor.window(FILE);
      await w.openFile(FILE);
      await w.atWork();
      const own = wrapper(t.editor.folder, 'own-server', t.options.server);
      t.editor.code.configure({ 'keywright.server.path': own.program });
      await until('the server of the setting to start', own.started);
      await w.replace(FILE, 'partition key user_id', 'partition key user_idx');
      await w.squiggleUnder('user_idx');
    }],
    ['a path that names nothing is told, and no other server is taken', async t => {
      const w = t.editor.current;
      t.editor.code.configure({ 'keywright.server.path': '/there/is/no/keywright' });
      await w.message('the setting keywright.server.path names /there/is/no/keywright, and there is no such program');
      await until('the squiggle to go with the server', async () => (await w.squiggles()).length === 0);
      t.editor.code.configure({});
      await w.squiggleUnder('user_idx');
    }],
  ],
};

export const lookup = {
  name: 'no-server',
  editor: 'bare',
  checks: [
    ['without a server there is a message with buttons', async t => {
      t.w = await t.editor.window(FILE);
      const { w } = t;
      await w.openFile(FILE);
      const message = await w.message('Keywright has no server to start');
      const buttons = await message.locator('.monaco-button').allTextContents();
      for (const wanted of ['Open Settings', 'How to Install']) {
        expect(buttons.includes(wanted), `the message has no button "${wanted}", it has ${buttons}`);
      }
    }],
    ['its button opens the setting', async ({ w }) => {
      const message = await w.message('Keywright has no server to start');
      await message.locator('.monaco-button', { hasText: 'Open Settings' }).click();
      // The setting is the machine's: VS Code shows it in another tab than the user's where there are two.
      const setting = w.page.locator('.settings-editor .setting-item-contents', { hasText: 'Server: Path' });
      await setting.first().waitFor();
      await w.page.keyboard.press('Escape');
      await w.page.locator('.settings-editor').waitFor({ state: 'hidden' });
    }],
    ['the page of how to install a server is there', async ({ w }) => {
      await w.command('Keywright: How to Install the Server');
      const page = await w.webview('h1, h2, p');
      expectContains(await page.locator('body').innerText(), 'keywright', 'the page');
    }],
    ['a model is highlighted all the same', async ({ w }) => {
      await w.openFile(FILE);
      const colours = async () => (await Promise.all(['application', '"e-commerce"', '// An online shop'].map(one => w.colour(one)))).map(one => one?.colour);
      await until('colours', async () => new Set(await colours()).size === 3, { state: colours });
    }],
    ['the `keywright` of the PATH is taken, once it is there', async t => {
      const { w } = t;
      symlinkSync(t.options.server, join(t.editor.path, 'keywright'));
      await w.command('Keywright: Restart Server');
      await w.atWork();
      await w.replace(FILE, 'partition key user_id', 'partition key user_idx');
      await w.squiggleUnder('user_idx');
    }],
  ],
};
