import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

/** A piece of a line, with what the grammar makes of it. */
export interface Piece {
  readonly line: number;
  readonly start: number;
  readonly text: string;
  /** From the outside in, without the ending that all of a grammar's have. */
  readonly scopes: readonly string[];
}

const ROOT = path.resolve(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const wasm = readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength) as ArrayBuffer);

/** A stand-in for the editor's own grammar of Markdown, which ours is injected into. */
const MARKDOWN = JSON.stringify({ scopeName: 'text.html.markdown', patterns: [{ match: '^#.*$', name: 'markup.heading' }] });

const FILES: Record<string, string> = {
  'source.dynamo': 'syntaxes/dynamo.tmLanguage.json',
  'markdown.dynamo.codeblock': 'syntaxes/markdown.tmLanguage.json',
};

const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
    createOnigString: text => new oniguruma.OnigString(text),
  }),
  loadGrammar: async scope => {
    const file = FILES[scope];
    if (file === undefined) {
      return scope === 'text.html.markdown' ? textmate.parseRawGrammar(MARKDOWN, 'markdown.json') : null;
    }
    return textmate.parseRawGrammar(readFileSync(path.join(ROOT, file), 'utf8'), file);
  },
  getInjections: scope => (scope === 'text.html.markdown' ? ['markdown.dynamo.codeblock'] : undefined),
});

/** Takes a text apart as the editor does, without what is only white space. */
export async function pieces(text: string, scope = 'source.dynamo'): Promise<Piece[]> {
  const grammar = await registry.loadGrammar(scope);
  if (grammar === null) {
    throw new Error(`there is no grammar ${scope}`);
  }
  const all: Piece[] = [];
  let state = textmate.INITIAL;
  text.split(/\r?\n/).forEach((line, number) => {
    const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, state, 0);
    if (stoppedEarly) {
      throw new Error(`line ${number + 1} takes too long`);
    }
    state = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const piece = line.slice(startIndex, endIndex);
      if (piece.trim() !== '') {
        all.push({ line: number, start: startIndex, text: piece, scopes: scopes.map(name => name.replace(/\.dynamo$/, '')) });
      }
    }
  });
  return all;
}

/** The innermost scope of a piece: what a theme looks at first. */
export function innermost(piece: Piece): string {
  return piece.scopes[piece.scopes.length - 1] ?? '';
}
