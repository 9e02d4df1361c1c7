// The manifest and what it names.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { shared, withShared } from '../scripts/settings.mjs';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (name: string): string => readFileSync(path.join(ROOT, name), 'utf8');
const manifest = JSON.parse(read('package.json'));
const schema = JSON.parse(read('../../docs/keywright.schema.json'));
const settings: Record<string, Setting> = manifest.contributes.configuration.properties;

interface Setting {
  type?: string | string[];
  default?: unknown;
  scope?: string;
  enum?: unknown[];
  enumDescriptions?: string[];
  markdownEnumDescriptions?: string[];
  description?: string;
  markdownDescription?: string;
}

/** Every path in the manifest that begins with `./`. */
function paths(value: unknown): string[] {
  if (typeof value === 'string') {
    return value.startsWith('./') ? [value] : [];
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(paths) : [];
}

test('the settings that a keywright.toml may hold are those of its schema', () => {
  assert.equal(
    read('package.json'),
    withShared(read('package.json'), schema),
    '`npm run settings` writes them into package.json',
  );
  assert.ok(Object.keys(shared(schema)).length === 6);
});

test('every setting has a type, a default, a scope and a description', () => {
  for (const [name, setting] of Object.entries(settings)) {
    assert.ok(name.startsWith('keywright.'), name);
    assert.ok(setting.type !== undefined && setting.default !== undefined && setting.scope !== undefined, name);
    assert.ok((setting.description ?? setting.markdownDescription ?? '').length > 20, name);
    const described = setting.enumDescriptions ?? setting.markdownEnumDescriptions;
    assert.equal(described?.length, setting.enum?.length, `${name}: a description for each value`);
  }
});

test('every setting stands in the README', () => {
  // Names that share their beginning stand in one cell: `keywright.codeLens.tables`, `.entities`.
  const named = read('README.md')
    .split('\n')
    .flatMap(line => {
      const [first = '', ...others] = [...(line.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(found => found[1] ?? '');
      return [first, ...others.map(name => first.replace(/\.\w+$/, name))];
    });
  for (const name of Object.keys(settings)) {
    assert.ok(named.includes(name), name);
  }
});

test('every picture that the README and the walkthrough show is there', () => {
  const pages = ['README.md', ...readdirSync(path.join(ROOT, 'walkthrough')).map(name => `walkthrough/${name}`)];
  const shown = pages.flatMap(page =>
    [...read(page).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(found => path.join(ROOT, path.dirname(page), found[1] ?? '')),
  );
  assert.ok(shown.length >= 3);
  for (const picture of shown) {
    assert.ok(existsSync(picture), `${picture}: \`cargo xtask pictures --editors\` takes it`);
  }
});

test('what the manifest names is there', () => {
  const built = ['./dist/extension.js', './dist/preview/index.js'];
  const named = [...new Set(paths(manifest))];
  assert.ok(built.every(name => named.includes(name)));
  for (const name of named.filter(name => !built.includes(name))) {
    assert.ok(existsSync(path.join(ROOT, name)), name);
    assert.ok(
      manifest.files.some((entry: string) => path.normalize(name).startsWith(path.normalize(entry))),
      `${name} is not packed`,
    );
  }
  for (const { media, description } of manifest.contributes.walkthroughs[0].steps) {
    assert.ok(existsSync(path.join(ROOT, media.markdown)), media.markdown);
    assert.ok(!description.includes('`'), `a walkthrough shows backticks as they are: ${description}`);
  }
});

test('every command of the manifest is registered, and every one that is registered is in it', () => {
  const declared: string[] = manifest.contributes.commands.map((command: { command: string }) => command.command);
  const source = read('src/extension.ts');
  const registered = [...source.matchAll(/register\('([\w.]+)'/g)].map(found => found[1] ?? '');
  // The client registers those of the server by itself.
  assert.deepEqual([...declared].sort(), [...registered, 'keywright.restartAnalysis'].sort());
  const used = [JSON.stringify(manifest), read('src/status/item.ts'), read('src/server/messages.ts')].join('\n');
  for (const [name] of used.matchAll(/(?<=command:|Command:|'|")keywright\.(?:new|generate|open|restart|show|howTo)\w*/g)) {
    assert.ok(declared.includes(name), name);
  }
});

test('a stranger’s workspace cannot choose what is run', () => {
  const { untrustedWorkspaces, virtualWorkspaces } = manifest.capabilities;
  assert.equal(untrustedWorkspaces.supported, 'limited');
  assert.deepEqual(untrustedWorkspaces.restrictedConfigurations, ['keywright.server.path']);
  assert.equal(virtualWorkspaces.supported, false);
});

describe('the language configuration', () => {
  const configuration = JSON.parse(read('language-configuration.json'));

  test('takes a word with its backticks, and a number with its unit', () => {
    const word = new RegExp(configuration.wordPattern, 'g');
    assert.deepEqual('`user-id`: uuid @size(2.5KB)'.match(word), ['`user-id`', 'uuid', 'size', '2.5KB']);
    assert.deepEqual('where user_id = :user_id'.match(word), ['where', 'user_id', 'user_id']);
  });
  test('indents below an open brace, and only there', () => {
    const { increaseIndentPattern, decreaseIndentPattern } = configuration.indentationRules;
    const increase = new RegExp(increaseIndentPattern);
    for (const line of ['entity User {', '  gsi I { // why', 'item E embeds F as f {', '  projection include(']) {
      assert.ok(increase.test(line), line);
    }
    for (const line of ['item User { sk = "A" }', '  pk = "A#{id}"', '// entity User {', '  because "so {"', 'a: uuid // {']) {
      assert.ok(!increase.test(line), line);
    }
    assert.ok(new RegExp(decreaseIndentPattern).test('  }'));
    assert.ok(!new RegExp(decreaseIndentPattern).test('  a: uuid }'));
  });
  test('goes on with a documentation comment, and ends it after two empty lines', () => {
    const rule = (before: string, previous: string, after = ''): string | undefined => {
      const found = configuration.onEnterRules.find(
        (rule: { beforeText: string; afterText?: string; previousLineText?: string }) =>
          new RegExp(rule.beforeText).test(before) &&
          (rule.afterText === undefined || new RegExp(rule.afterText).test(after)) &&
          (rule.previousLineText === undefined || new RegExp(rule.previousLineText).test(previous)),
      );
      return found?.action.appendText;
    };
    assert.equal(rule('/// Sells books.', ''), '/// ');
    assert.equal(rule('  /// ', '  /// Sells books.'), '/// ');
    assert.equal(rule('  /// ', '  ///'), undefined);
    assert.equal(rule('//// a line', ''), undefined);
    assert.equal(rule('// in the mid', '', 'dle'), '// ');
    assert.equal(rule('// at the end', ''), undefined);
  });
});
