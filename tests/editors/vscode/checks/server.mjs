// What the user sees when the server ends.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

import { expect, expectContains } from '../check.mjs';
import { until } from '../wait.mjs';

const FILE = 'shop.dynamo';

/** The processes that run a program of a folder. */
export function processesIn(folder) {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name)).filter(pid => {
    try {
      return readlinkSync(join('/proc', pid, 'exe')).startsWith(`${folder}/`);
    } catch {
      return false; // It has ended, or is not ours.
    }
  }).map(Number);
}

export const server = {
  name: 'server',
  editor: 'full',
  checks: [
    ['killing the server shows the restart message', async t => {
      t.w = await t.editor.window(FILE);
      const { w } = t;
      await w.openFile(FILE);
      await w.atWork();
      const before = processesIn(t.editor.code.extensions);
      expect(before.length > 0, 'no server of the extension runs');
      t.killed = before;
      before.forEach(pid => process.kill(pid, 'SIGKILL'));
      await w.message('The Keywright server was ended by SIGKILL. It is being started again.');
    }],
    ['it comes back and works', async t => {
      const { w } = t;
      await until('a new server', () => processesIn(t.editor.code.extensions).some(pid => !t.killed.includes(pid)));
      await w.openFile(FILE);
      await w.replace(FILE, 'partition key user_id', 'partition key user_idx');
      await w.squiggleUnder('user_idx');
      await w.atWork();
    }],
    ['*Restart Server* starts another one, without a message of a crash', async t => {
      const { w } = t;
      await w.command('Notifications: Clear All Notifications').catch(() => {});
      const before = processesIn(t.editor.code.extensions);
      await w.command('Keywright: Restart Server');
      await until('a new server', () => processesIn(t.editor.code.extensions).some(pid => !before.includes(pid)));
      await until('the old server to end', () => !processesIn(t.editor.code.extensions).some(pid => before.includes(pid)));
      await w.squiggleUnder('user_idx');
      const messages = await w.page.locator('.notification-list-item').allTextContents();
      expect(!messages.some(text => text.includes('was ended')), `a restart that was asked for is told as a crash: ${messages}`);
    }],
    ['*Show Output* shows which server runs', async ({ w }) => {
      await w.command('Keywright: Show Output');
      const output = w.page.locator('.output-view .view-lines, .panel .view-lines').first();
      await until('the output to name the server', async () => /server\/keywright/.test((await output.textContent()) ?? ''), {
        state: () => output.textContent(),
      });
    }],
    ['and nothing of what failed while there was none', async t => {
      // Of all windows up to now, some of which were closed with the server at work.
      const log = t.editor.log();
      expectContains(log, 'Starting ', 'the log');
      const traces = log.split('\n').filter(line => /^\s+at |Starting server failed/.test(line));
      expect(traces.length === 0, `the log holds traces of the client's library:\n${traces.join('\n')}`);
    }],
  ],
};
