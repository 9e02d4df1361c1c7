// Before the server has answered, a text has the colours of the TextMate grammar,
// and afterwards those of the server's semantic tokens. Nothing may jump between
// them: for each token of the server, the grammar says the scope that the manifest
// maps its type to. Needs the server: the one that the variable KEYWRIGHT names,
// else what Cargo has built.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver-protocol/node';
import { innermost, type Piece, pieces } from './textmate.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PROJECT = path.resolve(ROOT, '../..');
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const scopes: Record<string, string[]> = manifest.contributes.semanticTokenScopes[0].scopes;
const built = path.join(process.env['CARGO_TARGET_DIR'] ?? path.join(PROJECT, 'target'), 'debug/keywright');
const server = process.env['KEYWRIGHT'] ?? (existsSync(built) ? built : undefined);

interface Token {
  readonly line: number;
  readonly start: number;
  readonly text: string;
  readonly type: string;
  readonly modifiers: readonly string[];
}

let running: ChildProcess | undefined;
after(() => running?.kill());

async function connect(program: string) {
  running = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createMessageConnection(new StreamMessageReader(running.stdout!), new StreamMessageWriter(running.stdin!));
  connection.listen();
  const tokens = {
    requests: { full: true },
    tokenTypes: [
      'namespace', 'class', 'type', 'property', 'enumMember', 'function', 'parameter', 'variable', 'decorator',
      'keyword', 'comment', 'string', 'number', 'operator',
    ],
    tokenModifiers: ['declaration', 'readonly', 'modification', 'documentation', 'defaultLibrary'],
    formats: ['relative'],
  };
  const answer = await connection.sendRequest<{ capabilities: { semanticTokensProvider: { legend: Legend } } }>('initialize', {
    processId: process.pid,
    capabilities: { textDocument: { semanticTokens: tokens } },
    workspaceFolders: null,
  });
  await connection.sendNotification('initialized', {});
  const { legend } = answer.capabilities.semanticTokensProvider;
  const uri = (file: string): string => pathToFileURL(path.join(PROJECT, file)).toString();
  return {
    open: (file: string, text: string): Promise<void> =>
      connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: uri(file), languageId: 'dynamo', version: 1, text },
      }),
    ask: async (file: string, text: string): Promise<Token[]> => {
      const textDocument = { uri: uri(file) };
      const { data } = await connection.sendRequest<{ data: number[] }>('textDocument/semanticTokens/full', { textDocument });
      return decoded(data, legend, text.split('\n'));
    },
  };
}

interface Legend {
  readonly tokenTypes: readonly string[];
  readonly tokenModifiers: readonly string[];
}

function decoded(data: readonly number[], legend: Legend, lines: readonly string[]): Token[] {
  const all: Token[] = [];
  let [line, start] = [0, 0];
  for (let at = 0; at + 4 < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, bits = 0] = data.slice(at, at + 5);
    start = down === 0 ? start + right : right;
    line += down;
    all.push({
      line,
      start,
      text: (lines[line] ?? '').slice(start, start + length),
      type: legend.tokenTypes[type] ?? '',
      modifiers: legend.tokenModifiers.filter((_, bit) => (bits >> bit) & 1),
    });
  }
  return all;
}

/** The scope that the manifest has for a token. */
function mapped(token: Token): string {
  const exact = token.modifiers.map(modifier => scopes[`${token.type}.${modifier}`]?.[0]).find(scope => scope !== undefined);
  return (exact ?? scopes[token.type]?.[0] ?? '').replace(/\.dynamo$/, '');
}

/** Whether two scopes have one colour: themes go by the beginning of a scope. */
function agrees(token: Token, piece: Piece | undefined): boolean {
  const said = piece === undefined ? '' : innermost(piece);
  const wanted = mapped(token);
  assert.notEqual(wanted, '', `the manifest maps no scope for ${token.type}`);
  switch (token.type) {
    case 'keyword':
      return /^keyword\.(declaration|other)|^constant\.language$/.test(said);
    case 'enumMember':
      // Which text is the value of an enum, only the model knows.
      return said.startsWith(wanted) || said === 'string.quoted.double';
    case 'string':
      return said === wanted || said === 'constant.character.escape';
    case 'property':
      // What nothing may update looks like a constant, once the model is known.
      return said === wanted || (token.modifiers.includes('readonly') && said === 'variable.other.property');
    default:
      return said.startsWith(wanted);
  }
}

test('a token of the server has the scope that the grammar gives it', { skip: server === undefined && 'Cargo has built no server' }, async () => {
  assert.ok(server !== undefined);
  const client = await connect(server);
  const folders = ['examples', 'tests/support', 'editors/vscode/templates'];
  const files = folders.flatMap(folder =>
    readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map(name => path.join(folder, name)),
  );
  const models = new Map(
    files.filter(name => name.endsWith('.dynamo')).map(name => [name, readFileSync(path.join(PROJECT, name), 'utf8')]),
  );
  // All are open before the first is asked about: what one imports means what it means there.
  for (const [model, text] of models) {
    await client.open(model, text);
  }
  let compared = 0;
  for (const [model, text] of models) {
    const lines = Map.groupBy(await pieces(text), piece => piece.line);
    for (const token of await client.ask(model, text)) {
      const piece = lines.get(token.line)?.findLast(piece => piece.start <= token.start + token.text.search(/\S/));
      assert.ok(
        agrees(token, piece),
        `${model}:${token.line + 1}: \`${token.text}\` is ${mapped(token)} to the server, and ${piece && innermost(piece)} to the grammar`,
      );
      compared += 1;
    }
  }
  assert.ok(compared > 5000, `${compared} tokens`);
});
