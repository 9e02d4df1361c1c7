// What the TextMate grammar makes of every construct of the language.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { innermost, type Piece, pieces } from './textmate.ts';

const EXAMPLES = path.resolve(import.meta.dirname, '../../../examples');

/** Short names of scopes, for tests that read at a glance. */
const SHORT: Record<string, string> = {
  'keyword.declaration': 'decl',
  'keyword.other': 'key',
  'keyword.other.logical': 'key',
  'keyword.operator': 'op',
  'keyword.operator.optional': 'op',
  'entity.name.type.class': 'entity',
  'entity.name.type.module': 'table',
  'entity.name.function': 'pattern',
  'variable.other.property': 'attr',
  'variable.other.enummember': 'value',
  'variable.parameter': 'param',
  'variable.other': 'name',
  'constant.language': 'const',
  'constant.language.rule': 'rule',
  'constant.numeric': 'number',
  'constant.character.escape': 'escape',
  'support.type': 'type',
  'support.function': 'function',
  'storage.modifier': 'modifier',
  'string.quoted.double': 'text',
  'comment.line.documentation': 'doc',
  'comment.line.double-slash': 'comment',
};

/** The words of a text with their scopes; signs that only separate are left out. */
async function said(text: string): Promise<string> {
  const all = (await pieces(text)).filter(piece => !/^punctuation\./.test(innermost(piece)));
  return all
    .filter(piece => piece.text.trim() !== '"')
    .map(piece => `${piece.text.trim()}~${SHORT[innermost(piece)] ?? innermost(piece)}`)
    .join(' ');
}

/** Checks what is said inside a block, whose own words are left out. */
function inside(open: string, close: string, count: number) {
  return async (text: string, expected: string): Promise<void> => {
    const words = (await said(`${open}\n${text}\n${close}`)).split(' ');
    assert.equal(words.slice(count).join(' '), expected);
  };
}

const inApplication = inside('application A {', '}', 2);
const inEntity = inside('entity E {', '}', 2);
const inTable = inside('table T {', '}', 2);
const inIndex = inside('table T { gsi I {', '} }', 4);
const inPattern = inside('pattern P {', '}', 2);

describe('comments', () => {
  test('two slashes and four are a comment, three a documentation', async () => {
    assert.equal(await said('// one'), '// one~comment');
    assert.equal(await said('/// two'), '/// two~doc');
    assert.equal(await said('//// three'), '//// three~comment');
  });
  test('a comment may stand anywhere, and what is in it is no keyword', async () => {
    await inEntity('a: uuid @id // entity B {', 'a~attr uuid~type @id~modifier // entity B {~comment');
  });
});

describe('top level', () => {
  test('imports', async () => {
    assert.equal(await said('import "orders/order.dynamo"'), 'import~decl orders/order.dynamo~text');
  });
  test('allow, with several rules over several lines', async () => {
    const text = 'allow scan-pattern,\n  low-selectivity-filter\n  because "small"\nentity E {}';
    const rules = 'scan-pattern~rule low-selectivity-filter~rule';
    assert.equal(await said(text), `allow~decl ${rules} because~key small~text entity~decl E~entity`);
  });
  test('considerations and trade-offs', async () => {
    assert.equal(await said('consideration "a {b}"'), 'consideration~decl a {b}~text');
    assert.equal(await said('tradeoff "c" because "d"'), 'tradeoff~decl c~text because~key d~text');
  });
  test('workflows', async () => {
    assert.equal(await said('workflow W { One, Two }'), 'workflow~decl W~pattern One~pattern Two~pattern');
  });
});

describe('applications', () => {
  test('texts', async () => {
    for (const word of ['domain', 'context', 'scale', 'region']) {
      await inApplication(`${word} "a {b}"`, `${word}~key a {b}~text`);
    }
  });
  test('closed sets of words', async () => {
    await inApplication('style aggregate', 'style~key aggregate~const');
    await inApplication('style single_table', 'style~key single_table~const');
    await inApplication('capacity on_demand', 'capacity~key on_demand~const');
    await inApplication(
      'capacity provisioned utilization 70%',
      'capacity~key provisioned~const utilization~key 70%~number',
    );
    await inApplication('class standard', 'class~key standard~const');
    await inApplication('class standard_infrequent_access', 'class~key standard_infrequent_access~const');
  });
});

describe('entities', () => {
  test('every type', async () => {
    const types = ['string', 'number', 'binary', 'boolean', 'timestamp', 'epoch', 'uuid', 'ulid', 'ksuid', 'list', 'map'];
    for (const type of types) {
      await inEntity(`a: ${type}`, `a~attr ${type}~type`);
      await inEntity(`a: ${type}?`, `a~attr ${type}~type ?~op`);
    }
  });
  test('types of types, and values', async () => {
    await inEntity('a: list<string>', 'a~attr list~type string~type');
    await inEntity('a: set<number>?', 'a~attr set~type number~type ?~op');
    await inEntity('a: enum(open, `on hold`)?', 'a~attr enum~type open~value `on hold`~value ?~op');
    await inEntity('a: enum(\n  open,\n  paid,\n)', 'a~attr enum~type open~value paid~value');
  });
  test('attributes that are called like keywords', async () => {
    for (const name of ['size', 'count', 'status', 'rate', 'item', 'key', 'string', 'entity', 'table', 'set', 'enum']) {
      await inEntity(`${name}: number`, `${name}~attr number~type`);
    }
    await inEntity('`user-id`: uuid @id', '`user-id`~attr uuid~type @id~modifier');
  });
  test('every modifier', async () => {
    await inEntity('a: uuid @id @immutable', 'a~attr uuid~type @id~modifier @immutable~modifier');
    await inEntity('a: string @unique', 'a~attr string~type @unique~modifier');
    await inEntity('a: string @unique(tenant, `b c`)', 'a~attr string~type @unique~modifier tenant~attr `b c`~attr');
    await inEntity('a: string @without("#")', 'a~attr string~type @without~modifier #~text');
    await inEntity('a: string @size(28B)', 'a~attr string~type @size~modifier 28B~number');
    await inEntity(
      'a: string @size(avg 28B, max 254B)',
      'a~attr string~type @size~modifier avg~key 28B~number max~key 254B~number',
    );
    await inEntity('a: string @distinct(12)', 'a~attr string~type @distinct~modifier 12~number');
    await inEntity('a: string @hottest(0.5%)', 'a~attr string~type @hottest~modifier 0.5%~number');
    await inEntity('a: uuid @of(User)', 'a~attr uuid~type @of~modifier User~entity');
    await inEntity('a: string @copied_from(User.name)', 'a~attr string~type @copied_from~modifier User~entity name~attr');
    await inEntity('a: string? @present(45%)', 'a~attr string~type ?~op @present~modifier 45%~number');
    await inEntity('a: string @example("x")', 'a~attr string~type @example~modifier x~text');
    await inEntity('a: number @example(-3)', 'a~attr number~type @example~modifier -3~number');
    await inEntity('a: boolean @example(true)', 'a~attr boolean~type @example~modifier true~const');
  });
  test('clauses', async () => {
    await inEntity('count 2M, growing 5k/day', 'count~key 2M~number growing~key 5k/day~number');
    await inEntity('size avg 1KB, max 4KB', 'size~key avg~key 1KB~number max~key 4KB~number');
    await inEntity('lifetime 90d', 'lifetime~key 90d~number');
  });
});

test('quantities with every unit', async () => {
  const units = ['', 'k', 'M', 'G', 'B', 'KB', 'MB', 'GB', 'ms', 's', 'min', 'h', 'd', '%', '/s', '/min', '/h', '/day', 'k/h'];
  for (const unit of units) {
    for (const number of ['42', '1_000', '2.5']) {
      await inPattern(`rate ${number}${unit}`, `rate~key ${number}${unit}~number`);
    }
  }
});

describe('relationships and aggregates', () => {
  test('every cardinality', async () => {
    for (const cardinality of ['1:1', '1:N', 'N:M']) {
      assert.equal(await said(`relationship A ${cardinality} B`), `relationship~decl A~entity ${cardinality}~op B~entity`);
    }
  });
  test('through, by and the body', async () => {
    assert.equal(
      await said('relationship A N:M B through C by a_id {\n children avg 2, max 3\n parents max 4\n identifying because "x"\n}'),
      'relationship~decl A~entity N:M~op B~entity through~key C~entity by~key a_id~attr ' +
        'children~key avg~key 2~number max~key 3~number parents~key max~key 4~number identifying~key because~key x~text',
    );
  });
  test('one without a body ends where the next declaration begins', async () => {
    assert.equal(
      await said('relationship A 1:N B\nallow scan-pattern because "x"\nentity C { a: uuid }'),
      'relationship~decl A~entity 1:N~op B~entity allow~decl scan-pattern~rule because~key x~text ' +
        'entity~decl C~entity a~attr uuid~type',
    );
  });
  test('decisions', async () => {
    for (const decision of ['single_item', 'item_collection', 'separate_tables']) {
      assert.equal(
        await said(`aggregate A, B {\n  decision ${decision}\n  because "x"\n}`),
        `aggregate~decl A~entity B~entity decision~key ${decision}~const because~key x~text`,
      );
    }
  });
});

describe('tables', () => {
  test('keys', async () => {
    await inTable('partition key id because "x"', 'partition~key key~key id~attr because~key x~text');
    await inTable('sort key `a-b`: number', 'sort~key key~key `a-b`~attr number~type');
    await inIndex('partition key a, b: string, c', 'partition~key key~key a~attr b~attr string~type c~attr');
    await inTable('partition key key sort key sort', 'partition~key key~key key~attr sort~key key~key sort~attr');
  });
  test('clauses', async () => {
    await inTable('boundary "a {b}"', 'boundary~key a {b}~text');
    await inTable('ttl expires_at', 'ttl~key expires_at~attr');
    await inTable('point_in_time_recovery', 'point_in_time_recovery~key');
    await inTable('capacity on_demand', 'capacity~key on_demand~const');
    for (const view of ['keys_only', 'new_image', 'old_image', 'new_and_old_images']) {
      await inTable(`stream ${view}`, `stream~key ${view}~const`);
    }
  });
  test('items', async () => {
    await inTable('item User', 'item~decl User~entity');
    await inTable(
      'item Order embeds Line as lines embeds Note as notes { sk = "A" }',
      'item~decl Order~entity embeds~key Line~entity as~key lines~attr embeds~key Note~entity as~key notes~attr ' +
        'sk~attr =~op A~text',
    );
    await inTable('item E { pk = other }', 'item~decl E~entity pk~attr =~op other~attr');
  });
  test('indexes', async () => {
    await inTable('gsi I {}', 'gsi~decl I~table');
    await inTable('lsi I {}', 'lsi~decl I~table');
    await inIndex('purpose "x"', 'purpose~key x~text');
    await inIndex('projection all', 'projection~key all~const');
    await inIndex('projection keys_only because "x"', 'projection~key keys_only~const because~key x~text');
    await inIndex('projection include(a, b,)', 'projection~key include~const a~attr b~attr');
    await inIndex('sparse because "x"', 'sparse~key because~key x~text');
  });
});

describe('key templates', () => {
  const key = (text: string, expected: string): Promise<void> =>
    inTable(`item E { k = "${text}" }`, `item~decl E~entity k~attr =~op ${expected}`.trim());

  test('holes and every format', async () => {
    await key('A#{id}', 'A#~text {~op id~attr }~op');
    for (const format of ['year', 'month', 'day', 'hour', 'minute', 'lower', 'upper']) {
      await key(`{at:${format}}`, `{~op at~attr :~op ${format}~const }~op`);
    }
    await key('{n:12}', '{~op n~attr :~op 12~number }~op');
    await key('{`user-id`}', '{~op `user-id`~attr }~op');
    await key('{shard(id, 20)}', '{~op shard~function id~attr 20~number }~op');
    await key('{:since:7}', '{~op :since~param :~op 7~number }~op');
  });
  test('literal braces and escapes', async () => {
    await key('{{x}}', '{{~escape x~text }}~escape');
    await key('\\"\\\\\\n\\t\\u{1F511}', '\\"~escape \\\\~escape \\n~escape \\t~escape \\u{1F511}~escape');
  });
  test('a hole that is never closed ends with its string', async () => {
    await inTable('item E { k = "{id"\n}\nttl t', 'item~decl E~entity k~attr =~op {~op id~attr ttl~key t~attr');
  });
});

describe('patterns', () => {
  test('requirements', async () => {
    await inPattern(
      'reads User(name, plan), Order by user_id ordered by placed_at descending',
      'reads~key User~entity name~attr plan~attr Order~entity by~key user_id~attr ' +
        'ordered~key by~key placed_at~attr descending~key',
    );
    await inPattern('writes User by a, b', 'writes~key User~entity by~key a~attr b~attr');
  });
  test('every operation', async () => {
    await inPattern('get E from T.I', 'get~key E~entity from~key T~table I~table');
    await inPattern('scan T.I limit 3', 'scan~key T~table I~table limit~key 3~number');
    await inPattern('put E into T with a, b', 'put~key E~entity into~key T~table with~key a~attr b~attr');
    await inPattern('put E into T with none', 'put~key E~entity into~key T~table with~key none~const');
    await inPattern(
      'update E as other in T set a, b remove c if exists',
      'update~key E~entity as~key other~name in~key T~table set~key a~attr b~attr remove~key c~attr if~key exists~function',
    );
    await inPattern('delete E from T if not_exists', 'delete~key E~entity from~key T~table if~key not_exists~function');
    await inPattern('check E in T if a = :a', 'check~key E~entity in~key T~table if~key a~attr =~op :a~param');
    await inPattern('get E from T times 3', 'get~key E~entity from~key T~table times~key 3~number');
  });
  test('transactions and batches', async () => {
    for (const [kind, mode] of [['transact', 'write'], ['transact', 'get'], ['batch', 'write'], ['batch', 'get']]) {
      await inPattern(`${kind} ${mode} { get E from T }`, `${kind}~key ${mode}~key get~key E~entity from~key T~table`);
    }
  });
  test('every comparison', async () => {
    for (const operator of ['=', '<>', '<', '<=', '>', '>=']) {
      await inPattern(`query T where a ${operator} :a`, `query~key T~table where~key a~attr ${operator}~op :a~param`);
    }
    await inPattern('query T where a begins_with "A#"', 'query~key T~table where~key a~attr begins_with~op A#~text');
    await inPattern(
      'query T where a between 1 and 2 and b = "{x}"',
      'query~key T~table where~key a~attr between~op 1~number and~key 2~number and~key b~attr =~op {~op x~attr }~op',
    );
    await inPattern('scan T filter a contains "x"', 'scan~key T~table filter~key a~attr contains~op x~text');
    await inPattern('scan T filter a in ("x", :y)', 'scan~key T~table filter~key a~attr in~op x~text :y~param');
    await inPattern(
      'scan T filter not (exists(a) or not_exists(b)) keeping 40%',
      'scan~key T~table filter~key not~key exists~function a~attr or~key not_exists~function b~attr keeping~key 40%~number',
    );
    await inPattern('scan T filter a = true and b = false', 'scan~key T~table filter~key a~attr =~op true~const and~key b~attr =~op false~const');
  });
  test('options', async () => {
    await inPattern(
      'query T where a = :a limit 20 descending consistent project b, c returning avg 3, max 9',
      'query~key T~table where~key a~attr =~op :a~param limit~key 20~number descending~key consistent~key ' +
        'project~key b~attr c~attr returning~key avg~key 3~number max~key 9~number',
    );
  });
  test('clauses', async () => {
    await inPattern('rate avg 120/s, peak 900/s', 'rate~key avg~key 120/s~number peak~key 900/s~number');
    await inPattern('latency 50ms', 'latency~key 50ms~number');
    await inPattern('pages avg 1.2, max 50', 'pages~key avg~key 1.2~number max~key 50~number');
    await inPattern('no_write because "x"', 'no_write~key because~key x~text');
    await inPattern('no_read because "x"', 'no_read~key because~key x~text');
    await inPattern('external "a {b}" because "x"', 'external~key a {b}~text because~key x~text');
    await inPattern('allow scan-pattern because "x"', 'allow~decl scan-pattern~rule because~key x~text');
  });
});

describe('text that is not finished', () => {
  test('a block without its brace ends where the next declaration begins', async () => {
    for (const open of ['entity A {\n a: uuid', 'table T {\n gsi I {', 'pattern P {\n transact write {', 'entity A {\n a: enum(x,']) {
      const all = await pieces(`${open}\n\npattern Q { get E from T }`);
      const name = all.find(piece => piece.text === 'Q');
      assert.deepEqual(name?.scopes, ['source', 'meta.pattern', 'entity.name.function'], open);
    }
  });
  test('a string ends with its line', async () => {
    await inEntity('a: string @example("x\n b: uuid', 'a~attr string~type @example~modifier x~text b~attr uuid~type');
  });
});

test('every word of the examples has a scope', async () => {
  const models = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.dynamo'));
  assert.ok(models.length > 10);
  for (const model of models) {
    const bare = (await pieces(readFileSync(path.join(EXAMPLES, model), 'utf8'))).filter(piece => isBare(piece));
    assert.deepEqual(bare.map(piece => `${model}:${piece.line + 1}: ${piece.text.trim()}`), []);
  }
});

function isBare(piece: Piece): boolean {
  return /\w/.test(piece.text) && /^(source|meta\.\w+)$/.test(innermost(piece));
}

describe('fences in Markdown', () => {
  const scopesIn = async (text: string): Promise<string[]> => {
    const all = await pieces(text, 'text.html.markdown');
    return all.map(piece => `${piece.text.trim()}~${innermost(piece)}`);
  };
  test('dynamo and keywright, with backticks or tildes, are models', async () => {
    for (const open of ['```dynamo', '```keywright', '~~~dynamo', '```` Dynamo', '```dynamo bad']) {
      const close = /^[`~]+/.exec(open)?.[0];
      const all = await scopesIn(`# A\n${open}\nentity User {}\n${close}\nentity User`);
      assert.ok(all.includes('entity~keyword.declaration'), open);
      assert.ok(all.includes('User~entity.name.type.class'), open);
      assert.equal(all.at(-1), 'entity User~text.html.markdown', open);
    }
  });
  test('a fence without its end inside a block does not colour what follows', async () => {
    const all = await scopesIn('```dynamo\nentity User {\n```\nentity User');
    assert.equal(all.at(-1), 'entity User~text.html.markdown');
  });
  test('other languages are left alone', async () => {
    assert.ok(!(await scopesIn('```dynamodb\nentity User {}\n```')).includes('entity~keyword.declaration'));
  });
});
