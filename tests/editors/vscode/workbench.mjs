// A window of VS Code, as somebody in front of it uses and reads it.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { sleep, until } from './wait.mjs';

/** What stands in an editor: its spaces are no-break spaces on the screen. */
const plain = text => text.replaceAll('\u00a0', ' ').replaceAll('\u200b', '');

export class Workbench {
  constructor(page, folder) {
    this.page = page;
    this.folder = folder;
  }

  /** Opens a folder and waits until the window is there. */
  static async open(context, address, folder) {
    const page = await context.newPage();
    await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`);
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    await page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
    return new Workbench(page, folder);
  }

  // ---- commands and files ----

  /** Runs a command by its title, from the palette. */
  async command(title) {
    await this.#pick(`>${title}`, title);
  }

  /** Opens a file of the folder by its path. */
  async openFile(path) {
    const name = path.split('/').at(-1);
    // Beside a preview there may be two groups: files go into the first.
    await until(`${name} to be in front`, async () => {
      await this.page.keyboard.press('Control+1');
      await this.#pick(path, name, 'Control+P');
      return this.#tab(name).waitFor({ timeout: 10_000 }).then(() => true, () => false);
    });
    await this.tab(name);
  }

  /** Opens a file of the folder in the column that is in front. */
  async openBeside(path) {
    await this.#pick(path, path.split('/').at(-1), 'Control+P');
  }

  /** The choice that is asked for at the top: takes the one of this label. */
  async choose(label) {
    const box = this.page.locator('.quick-input-widget:visible');
    const row = box.locator('.monaco-list-row').filter({ has: this.page.locator(`.label-name`, { hasText: label }) });
    await row.first().click();
  }

  /** Runs a command that asks for a text, and answers it. */
  async commandWith(title, text) {
    const input = this.page.locator('.quick-input-widget:visible input').first();
    // A page that has just come takes the keyboard, and the question is gone: then it
    // is asked for again.
    await until(`"${title}" to take "${text}"`, async () => {
      await this.command(title);
      const answered = input.fill(text, { timeout: 5000 }).then(() => input.press('Enter', { timeout: 5000 }));
      return answered.then(() => true, () => false);
    });
  }

  async #pick(text, label, keys = 'F1') {
    const box = this.page.locator('.quick-input-widget:visible');
    const rows = box.locator('.monaco-list-row');
    let labels = [];
    const attempt = async () => {
      await this.page.keyboard.press(keys);
      await box.locator('input').first().fill(text, { timeout: 5000 });
      const end = Date.now() + 10_000;
      while (Date.now() < end) {
        const before = labels.join('\n');
        labels = await this.#labels(rows);
        const index = labels.indexOf(label);
        // It is filled bit by bit: what is clicked has to stand still.
        if (index >= 0 && labels.join('\n') === before) {
          await rows.nth(index).click({ timeout: 3000 });
          return true;
        }
        await sleep(50);
      }
      return false;
    };
    // The box closes when a preview that has just come takes the keyboard, and the
    // list may change while it is read: then all of it is done again.
    await until(`"${label}" to be offered for "${text}"`, () => attempt().catch(() => false), { state: () => labels });
    // A command may ask something at once: then there is a box again, which has another list.
    await until('the box to close', async () => !(await box.isVisible()) || !(await this.#labels(rows)).includes(label)).catch(() => {});
  }

  #labels(rows) {
    return rows.evaluateAll(all => all.map(row => row.querySelector('.label-name')?.textContent ?? row.textContent));
  }

  #tab(name) {
    return this.page.locator(`.tab.active[data-resource-name="${name}"]`).first();
  }

  /** Waits until a file is in front, with its text. */
  async tab(name) {
    await this.#tab(name).waitFor();
    await until(`the text of ${name}`, async () => (await this.lines()).some(line => line.trim()));
  }

  /** Waits until what is typed goes into a file. */
  async hasKeyboard(name) {
    const focused = this.page.locator('.editor-group-container.active .monaco-editor.focused');
    const tab = this.page.locator(`.editor-group-container.active .tab.active[data-resource-name="${name}"]`);
    await until(`${name} to have the keyboard`, async () => (await tab.count()) > 0 && (await focused.count()) > 0, {
      state: async () => ({
        tabs: await this.page.locator('.editor-group-container.active .tab.active').allTextContents(),
        // Who has it instead, and what is around that.
        keyboard: await this.page.evaluate(() => {
          const names = [`page focused: ${document.hasFocus()}`];
          for (let at = document.activeElement; at && names.length < 9; at = at.parentElement) names.push(`${at.tagName} ${at.className}`);
          return names;
        }),
      }),
    });
  }

  /** Saves, and waits until it is saved. */
  async save() {
    await this.page.keyboard.press('Control+S');
    await until('the file to be saved', async () => (await this.page.locator('.tab.active.dirty').count()) === 0);
  }

  /** What a file of the folder holds on disk. */
  read(path) {
    return readFileSync(join(this.folder, path), 'utf8');
  }

  // ---- the text ----

  /** The part of the editor that is in front. */
  get editor() {
    return this.page.locator('.editor-group-container.active .editor-instance .monaco-editor').first();
  }

  /** The lines that are on the screen, top to bottom, with what is shown between the text. */
  async lines() {
    const lines = await this.editor.locator('.view-line').evaluateAll(all =>
      all.map(line => [line.getBoundingClientRect().top, line.textContent]).sort((a, b) => a[0] - b[0]).map(line => line[1]),
    );
    return lines.map(plain);
  }

  /** Puts the cursor before a column, in UTF-16 units and from 1 as VS Code counts. */
  async moveTo(line, column) {
    await this.page.keyboard.press('Control+G');
    const box = this.page.locator('.quick-input-widget:visible');
    await box.locator('input').first().fill(`:${line}:${column}`);
    await this.page.keyboard.press('Enter');
    await box.waitFor({ state: 'hidden' });
    await until(`the cursor to be at ${line}:${column}`, async () => {
      const text = (await this.page.locator('#status\\.editor\\.selection').textContent()) ?? '';
      return text.startsWith(`Ln ${line}, Col `);
    });
  }

  /** Puts the cursor before a text of a file that is saved; `offset` is counted from there. */
  async moveBefore(path, text, offset = 0) {
    const whole = this.read(path);
    const at = whole.indexOf(text);
    if (at < 0) throw new Error(`${path} has no ${JSON.stringify(text)}`);
    const before = whole.slice(0, at + offset);
    await this.moveTo(before.split('\n').length, before.length - before.lastIndexOf('\n'));
  }

  /** Selects a text of a saved file and types another over it. */
  async replace(path, old, text) {
    await this.moveBefore(path, old);
    for (const _ of new Intl.Segmenter().segment(old)) await this.page.keyboard.press('Shift+ArrowRight');
    await this.page.keyboard.insertText(text);
  }

  /** Where a text stands on the screen. */
  async box(text) {
    const all = await this.editor.locator('.view-line').evaluateAll((lines, wanted) => {
      const boxes = [];
      for (const line of lines) {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        const nodes = [];
        while (walker.nextNode()) nodes.push(walker.currentNode);
        const whole = nodes.map(node => node.data).join('').replaceAll('\u00a0', ' ');
        const at = whole.indexOf(wanted);
        if (at < 0) continue;
        const place = offset => {
          for (const node of nodes) {
            if (offset <= node.data.length) return [node, offset];
            offset -= node.data.length;
          }
        };
        const range = document.createRange();
        range.setStart(...place(at));
        range.setEnd(...place(at + wanted.length));
        const { left, right, top, bottom } = range.getBoundingClientRect();
        boxes.push({ left, right, top, bottom });
      }
      return boxes;
    }, text);
    if (all.length !== 1) throw new Error(`${JSON.stringify(text)} stands ${all.length} times on the screen`);
    return all[0];
  }

  /** The classes of the smallest part of the text that holds all of `text`. */
  async colour(text) {
    return this.editor.locator('.view-line').evaluateAll((lines, wanted) => {
      for (const span of lines.flatMap(line => [...line.querySelectorAll('span > span')])) {
        if (span.textContent.replaceAll('\u00a0', ' ').includes(wanted)) {
          return { classes: span.className, colour: getComputedStyle(span).color };
        }
      }
      return null;
    }, text);
  }

  // ---- what the server says ----

  /** The squiggles on the screen of a severity: `error`, `warning`, `info` or `hint`. */
  async squiggles(severity = 'error') {
    return this.editor.locator(`.cdr.squiggly-${severity}`).evaluateAll(all =>
      all.map(one => one.getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
    );
  }

  /** Waits for a squiggle that stands exactly under a text. */
  async squiggleUnder(text, severity = 'error') {
    const near = (a, b) => Math.abs(a - b) <= 2;
    return until(`a squiggle (${severity}) exactly under ${JSON.stringify(text)}`, async () => {
      const box = await this.box(text).catch(() => undefined);
      const all = await this.squiggles(severity);
      return box && all.find(one => near(one.left, box.left) && near(one.right, box.right) && one.top < box.bottom && one.bottom > box.top - 2);
    }, { state: async () => ({ text: await this.box(text).catch(String), squiggles: await this.squiggles(severity) }) });
  }

  /** Shows the problem list and gives its rows. */
  async problems() {
    const panel = this.page.locator('.markers-panel');
    if (!(await panel.isVisible())) await this.command('View: Focus Problems (Errors, Warnings, Infos)');
    return (await panel.locator('.monaco-list-row').allTextContents()).map(plain);
  }

  /** Waits for an entry of the problem list and gives its row. */
  async problem(text) {
    await until(`a problem with ${JSON.stringify(text)}`, async () => (await this.problems()).some(row => row.includes(text)), {
      state: () => this.problems(),
    });
    return this.page.locator('.markers-panel .monaco-list-row').filter({ hasText: text }).first();
  }

  /** The hover at the cursor. */
  async hover() {
    await this.page.keyboard.press('Control+K');
    await this.page.keyboard.press('Control+I');
    const hover = this.page.locator('.monaco-editor-hover:visible, .monaco-hover:visible').first();
    await hover.waitFor();
    await until('the hover to be computed', async () => !/Loading/.test((await hover.textContent()) ?? 'Loading'));
    return hover;
  }

  /** The code lenses on the screen. */
  async lenses() {
    return (await this.editor.locator('.codelens-decoration').allTextContents()).map(plain);
  }

  /** Waits for the list of suggestions and gives its labels. */
  async suggestions() {
    const list = this.page.locator('.suggest-widget.visible');
    const rows = list.locator('.monaco-list-row');
    await until('suggestions', async () => (await rows.count()) > 0);
    return rows.evaluateAll(all => all.map(row => row.querySelector('.label-name')?.textContent ?? row.textContent));
  }

  /** Opens the quick fixes at the cursor and gives their titles. */
  async fixes() {
    const rows = this.page.locator('.action-widget .monaco-list-row.action');
    await until('quick fixes', async () => {
      if ((await rows.count()) > 0) return true;
      await this.page.keyboard.press('Control+.');
      return rows.first().waitFor({ timeout: 3000 }).then(() => true, () => false);
    });
    return (await rows.allTextContents()).map(plain);
  }

  /** Takes the quick fix whose title has this text. */
  async fix(title) {
    const titles = await this.fixes();
    if (!titles.some(one => one.includes(title))) throw new Error(`no quick fix "${title}"; there are ${JSON.stringify(titles)}`);
    await this.page.locator('.action-widget .monaco-list-row.action').filter({ hasText: title }).first().click();
  }

  /** Renames what is at the cursor. */
  async rename(name) {
    const input = this.page.locator('.rename-box input.rename-input');
    await this.page.keyboard.press('F2');
    await input.waitFor();
    await input.fill(name);
    await input.press('Enter');
    await input.waitFor({ state: 'hidden' });
  }

  /** Waits until the server has told the first things about the model in front. */
  async atWork() {
    await until('the lenses of the model', async () => (await this.lenses()).length > 0, { state: () => this.lines() });
  }

  /** The item of Keywright in the status bar. */
  async status() {
    const item = this.page.locator('.statusbar-item[id^="keywright"]').first();
    return (await item.count()) ? ((await item.textContent()) ?? '') : undefined;
  }

  /** Waits for a message with a text, in a corner or as a dialog. */
  async message(text, options) {
    const all = this.page.locator('.notification-list-item, .monaco-dialog-box');
    const texts = async () => (await all.allTextContents()).map(plain);
    await until(`a message with ${JSON.stringify(text)}`, async () => (await texts()).some(one => one.includes(text)), { ...options, state: texts });
    return all.filter({ hasText: text }).first();
  }

  /** Waits for a page inside the window (a preview) that has an element. */
  async webview(selector, options) {
    return until(`a page with ${selector}`, async () => {
      for (const frame of this.page.frames()) {
        const found = await frame.locator(selector).count().catch(() => 0);
        if (found > 0 && frame !== this.page.mainFrame()) return frame;
      }
      return undefined;
    }, { ...options, state: () => this.page.frames().map(frame => frame.url().slice(0, 80)) });
  }

  /** How many columns of editors there are. */
  columns() {
    return this.page.locator('.editor-group-container').count();
  }

  async close() {
    await this.page.close();
  }
}
