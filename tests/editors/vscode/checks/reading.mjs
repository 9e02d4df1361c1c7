// What is seen when a model is opened, before anything is done to it.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { expect, expectContains } from '../check.mjs';
import { until } from '../wait.mjs';

/** What the token inspector says of the token at the cursor. */
async function inspect(w, path, text) {
  await w.moveBefore(path, text);
  await w.command('Developer: Inspect Editor Tokens and Scopes');
  const widget = w.page.locator('.token-inspect-widget');
  const told = await until(`the token inspector to tell of ${text}`, async () => {
    const content = (await widget.textContent()) ?? '';
    return content.startsWith(text) && content.includes('textmate scopes') && content;
  }, { state: () => widget.textContent() });
  await w.page.keyboard.press('Escape');
  await widget.waitFor({ state: 'detached' });
  return told;
}

export const reading = {
  name: 'reading',
  editor: 'full',
  checks: [
    ['the VSIX installs, with the server in it', async ({ editor }) => {
      await editor.start();
      const installed = readdirSync(editor.code.extensions).filter(name => name.startsWith('keywright.keywright-'));
      expect(installed.length === 1, `one Keywright has to be installed, there are ${installed}`);
      const program = statSync(join(editor.code.extensions, installed[0], 'server/keywright'));
      expect(program.mode & 0o111, 'the bundled server cannot be executed');
    }],
    ['shop.dynamo is highlighted', async t => {
      t.w = await t.editor.window('.');
      const { w } = t;
      await w.openFile('shop.dynamo');
      const colours = () => Promise.all(['application', '"e-commerce"', '// An online shop'].map(one => w.colour(one)));
      await until('keywords, strings and comments in colours of their own', async () => {
        const found = await colours();
        return found.every(Boolean) && new Set(found.map(one => one.colour)).size === 3;
      }, { state: colours });
    }],
    ['the language of the file is Keywright', async ({ w }) => {
      const language = await w.page.locator('#status\\.editor\\.mode').textContent();
      expectContains(language, 'Keywright', 'the status bar');
    }],
    ['semantic tokens come from the server', async ({ w }) => {
      const told = await until('a semantic token', async () => {
        const text = await inspect(w, 'shop.dynamo', 'OnlineShop');
        return text.includes('semantic token type') && text;
      }, { state: () => inspect(w, 'shop.dynamo', 'OnlineShop') });
      expectContains(told, 'source.dynamo', 'the scopes of the grammar');
    }],
    ['inlay hints stand behind operations, keys and entities', async ({ w }) => {
      await w.moveBefore('shop.dynamo', 'pattern ReadSession');
      await until('the hint behind an operation of ReadSession', async () =>
        (await w.lines()).some(line => /^ {2}get Session from Sessions\s?0\.5 RU · \$\d/.test(line)), { state: () => w.lines() });
      await w.moveBefore('shop.dynamo', 'table Products {');
      await until('the hint behind a partition key', async () =>
        (await w.lines()).some(line => /^ {2}partition key sku\s?.*% of limit/.test(line)), { state: () => w.lines() });
      await w.moveBefore('shop.dynamo', 'entity EmailClaim {');
      await until('the hint of a size', async () =>
        (await w.lines()).some(line => /^entity EmailClaim \{?.*\d+ B/.test(line)), { state: () => w.lines() });
    }],
    ['code lenses stand above tables and entities', async ({ w }) => {
      await w.moveBefore('shop.dynamo', 'table UserOrders {');
      await until('the lens of the table UserOrders', async () =>
        (await w.lenses()).some(lens => /^10 patterns · \$\d.*hottest key \{user_id\}/.test(lens)), { state: () => w.lenses() });
      await w.moveBefore('shop.dynamo', 'entity OrderLine {');
      await until('the lens of an entity', async () =>
        (await w.lenses()).some(lens => lens.includes('UserOrders')), { state: () => w.lenses() });
    }],
    ['hover on a pattern shows its derivation', async ({ w }) => {
      await w.moveBefore('shop.dynamo', 'GetProfile {', 3);
      const text = await (await w.hover()).textContent();
      for (const part of ['0.5 read units a call', '1,024 B → 1 unit of 4 KB × 0.5 (eventually consistent)', '120/s × 0.5 × 2,592,000 s']) {
        expectContains(text, part, 'the hover');
      }
      await w.page.keyboard.press('Escape');
    }],
    ['completion inside `where` offers the key first', async ({ w }) => {
      await w.moveBefore('shop.dynamo', 'where user_id = :user_id and sk', 'where '.length);
      await w.page.keyboard.press('Control+Space');
      const labels = await w.suggestions();
      expect(labels[0] === 'user_id', `the first suggestion has to be user_id, there are ${labels}`);
      await w.page.keyboard.press('Escape');
    }],
    ['the status item shows the findings and the cost of the model', async ({ w }) => {
      // What the model costs, and a tick where nothing is wrong with it.
      await until('the status item with the cost and no count', async () => /\$\d+\/mo\s*$/.test((await w.status()) ?? ''), {
        state: () => w.status(),
      });
    }],
    ['the status item opens what the model costs', async ({ w }) => {
      await w.page.locator('.statusbar-item[id^="keywright"] a').first().click();
      const page = await w.webview('h1:has-text("a month")');
      expectContains(await page.locator('body').innerText(), 'UserOrders', 'the page of the cost');
      await w.page.locator('.tab.active', { hasText: 'shop.dynamo: cost' }).waitFor();
    }],
    ['the page of a rule comes into the column of the other page, with its models in colours', async t => {
      const { w } = t;
      await w.page.keyboard.press('Control+2');
      await w.commandWith('Keywright: Open the Page of a Rule or Concept', 'scan-pattern');
      t.page = await w.webview('h1:has-text("scan-pattern")');
      await until('words of the language in the colour of keywords', async () =>
        (await t.page.locator('code.language-dynamo .hljs-keyword').allTextContents()).includes('scan'), {
        state: () => t.page.locator('pre').first().evaluate(element => element.outerHTML.slice(0, 400)),
      });
      const colour = one => one.evaluate(element => getComputedStyle(element).color);
      const [word, name] = await Promise.all(['keyword', 'title'].map(one => colour(t.page.locator(`code .hljs-${one}`).first())));
      const plain = await colour(t.page.locator('code.language-dynamo').first());
      expect(new Set([word, name, plain]).size === 3, `keywords, names and the rest look alike: ${[word, name, plain]}`);
      expect((await w.columns()) === 2, `there are ${await w.columns()} columns`);
    }],
    ['a page leads to the fact that it names, and to where that is from', async ({ w, page }) => {
      await page.locator('a', { hasText: /^S6$/ }).first().click();
      const facts = await w.webview('h1:has-text("Facts of DynamoDB")');
      await facts.locator('h3#s6 ~ p a[href^="https://docs.aws.amazon.com/"]').first().waitFor();
    }],
  ],
};
