// Drives VS Code as a person would: installs the extension, opens models, breaks
// and mends them, asks about them, and reads what is on the screen. Prints TAP;
// ends with 1 if anything was not as it should be.
//
// node test.mjs --tools DIR --scratch DIR --examples DIR --chromium PROGRAM
//               --full X.vsix --bare Y.vsix --server PROGRAM [--pictures DIR] [--only GROUP,…]
//
// `--full` carries the server, `--bare` does not; `--server` is the one that was
// just built. With `--pictures` nothing is tested and the pictures are taken.

import { cpSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

import { LIMIT_MS } from './wait.mjs';
import { CodeServer } from './code_server.mjs';
import { Workbench } from './workbench.mjs';
import { editing } from './checks/editing.mjs';
import { documents } from './checks/documents.mjs';
import { encoding } from './checks/encoding.mjs';
import { chosen, lookup } from './checks/lookup.mjs';
import { markdown } from './checks/markdown.mjs';
import { pictures } from './checks/pictures.mjs';
import { reading } from './checks/reading.mjs';
import { renaming } from './checks/renaming.mjs';
import { server } from './checks/server.mjs';

/** Longer than anything takes: what hangs must not hang for ever. */
const ALL_MS = 12 * 60_000;

const GROUPS = [reading, editing, encoding, renaming, documents, markdown, server, chosen, lookup];

const names = ['tools', 'scratch', 'examples', 'chromium', 'full', 'bare', 'server', 'pictures', 'only'];
const { values: options } = parseArgs({ options: Object.fromEntries(names.map(name => [name, { type: 'string' }])) });
const { chromium } = createRequire(join(options.tools, 'package.json'))('playwright-core');

/** Every VS Code that runs, to be ended in every case. */
const running = new Set();
process.on('exit', () => running.forEach(one => one.kill()));
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => process.exit(1));
setTimeout(() => {
  console.log(`# stopped after ${ALL_MS / 1000} s`);
  process.exit(1);
}, ALL_MS).unref();

/** A VS Code with an extension in it, started when it is first needed. */
class Editor {
  constructor(browser, name, vsix) {
    this.browser = browser;
    this.folder = join(options.scratch, name);
    this.vsix = vsix;
    this.code = new CodeServer(options.tools, this.folder);
    // All that is on the PATH of what runs in it: nothing, at first.
    this.path = join(this.folder, 'path');
    mkdirSync(this.path, { recursive: true });
    this.windows = 0;
  }

  async start() {
    if (this.context) return;
    await this.code.install(this.vsix);
    running.add(this.code);
    await this.code.start(this.path);
    this.context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
    this.context.setDefaultTimeout(LIMIT_MS);
  }

  /** Opens a window on a copy of a file or a folder of the examples; `prepare` may change the copy. */
  async window(source, prepare = () => {}) {
    await this.start();
    this.windows += 1;
    const folder = join(this.folder, `window-${this.windows}`, 'models');
    mkdirSync(folder, { recursive: true });
    const from = join(options.examples, source);
    cpSync(from, statSync(from).isDirectory() ? folder : join(folder, basename(from)), { recursive: true });
    prepare(folder);
    await this.current?.close();
    this.current = await Workbench.open(this.context, this.code.address, folder);
    return this.current;
  }

  /** What Keywright's output channels hold, of all windows. */
  log() {
    const logs = join(this.code.userData, 'logs');
    const files = readdirSync(logs, { recursive: true }).filter(name => /keywright[^/]*\.log$/i.test(name));
    return files.map(name => readFileSync(join(logs, name), 'utf8')).join('\n');
  }

  async stop() {
    if (!this.context) return;
    await this.context.close();
    await this.code.stop();
    running.delete(this.code);
  }
}

let number = 0;
let failed = 0;

/** Runs the checks of a group, one after the other, up to the first that fails. */
async function run(editor, group) {
  const t = { editor, options, w: undefined };
  for (const [name, check] of group.checks) {
    const title = `${group.name}: ${name}`;
    const start = Date.now();
    try {
      await check(t);
    } catch (error) {
      failed += 1;
      console.log(`not ok ${++number} - ${title}`);
      const picture = join(options.scratch, `failed-${group.name}.png`);
      await editor.current?.page.screenshot({ path: picture }).catch(() => {});
      const why = `${error?.stack ?? error}\nThe screen: ${picture}\nThe logs: ${editor.folder}`;
      for (const line of why.split('\n')) console.log(`# ${line.slice(0, 2000)}`);
      return;
    }
    console.log(`ok ${++number} - ${title} # ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  await editor.current?.page.screenshot({ path: join(options.scratch, `${group.name}.png`) });
}

const browser = await chromium.launch({ executablePath: options.chromium, args: ['--no-sandbox'] });
const editors = { full: new Editor(browser, 'full', options.full), bare: new Editor(browser, 'bare', options.bare) };
try {
  const groups = options.pictures ? [pictures] : GROUPS.filter(group => !options.only || options.only.split(',').includes(group.name));
  for (const group of groups) await run(editors[group.editor], group);
} finally {
  for (const editor of Object.values(editors)) await editor.stop();
  await browser.close();
}
console.log(`1..${number}`);
process.exit(failed ? 1 : 0);
