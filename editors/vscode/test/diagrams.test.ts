// The diagrams of generated documents in a preview that does not draw them itself:
// the scripts that are shipped, in a browser, under the rules that an editor sets
// its previews. The browser is the one that the variable CHROMIUM names, else the
// system's.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundle } from '../scripts/build.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const DOCUMENTS = path.resolve(ROOT, '../../tests/snapshots');
const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browser = process.env['CHROMIUM'] ?? SYSTEM.find(file => existsSync(file));

/** The diagrams of a text, as they are written. */
function diagrams(markdown: string): string[] {
  return [...markdown.matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map(found => found[1] ?? '');
}

/** What stands in a preview of these fences once its scripts have run. */
async function preview(fences: readonly string[], theme: string): Promise<string> {
  const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const code = fences.map(text => `<pre class="hljs"><code class="code-line language-mermaid">${escaped(text)}</code></pre>`);
  const script = pathToFileURL(path.join(ROOT, 'dist/preview/index.js'));
  const folder = mkdtempSync(path.join(tmpdir(), 'keywright-preview-'));
  try {
    const page = path.join(folder, 'preview.html');
    writeFileSync(
      page,
      `<!DOCTYPE html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy"
        content="default-src 'none'; script-src 'nonce-n0nce'; style-src 'self' 'unsafe-inline'; img-src data:"></head>
        <body class="vscode-body ${theme}">${code.join('\n')}<script async nonce="n0nce" src="${script}"></script></body></html>`,
    );
    const options = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${folder}`, '--virtual-time-budget=60000'];
    const limits = { timeout: 180_000, maxBuffer: 1 << 28 };
    const { stdout } = await promisify(execFile)(browser!, [...options, '--dump-dom', pathToFileURL(page).toString()], limits);
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const count = (text: string, part: string): number => text.split(part).length - 1;

describe('in a preview', { skip: browser === undefined && 'there is no Chromium' }, () => {
  before(() => bundle({ minify: true }));

  test('every diagram of the documents is drawn', async () => {
    const documents = readdirSync(DOCUMENTS).filter(name => /^(?:shop|blog)\..*\.md$/.test(name));
    const all = documents.flatMap(name => diagrams(readFileSync(path.join(DOCUMENTS, name), 'utf8')));
    assert.ok(all.length >= 4, `${all.length} diagrams`);
    const page = await preview(all, 'vscode-light');
    assert.equal(count(page, '<div class="keywright-diagram"><svg'), all.length);
    assert.equal(count(page, 'language-mermaid'), 0);
  });
  test('what cannot be drawn stays as it is written', async () => {
    const page = await preview(['erDiagram\n  A ||', 'sequenceDiagram\n  A->>B: x', 'flowchart LR\n  a --> b'], 'vscode-dark');
    assert.equal(count(page, '<div class="keywright-diagram"><svg'), 1);
    assert.equal(count(page, 'language-mermaid'), 2);
    assert.equal(count(page, 'Syntax error'), 0);
  });
  test('one without diagrams does not load Mermaid', async () => {
    assert.equal(count(await preview([], 'vscode-light'), 'mermaid.js'), 0);
    assert.equal(count(await preview(['flowchart LR\n  a --> b'], 'vscode-light'), 'mermaid.js'), 1);
  });
});
