// Addresses of pages, names of documents and new models, the status, the diagrams.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freeName } from '../src/commands/freeName.ts';
import { canDraw, themeFor } from '../src/diagrams/kinds.ts';
import { columnBeside } from '../src/columns.ts';
import { isGenerated, kindOf } from '../src/documents/names.ts';
import { costAddress, explainAddress, pageAt } from '../src/pages/address.ts';
import { type ModelStatus, shown } from '../src/status/text.ts';

describe('addresses', () => {
  const at = (path: string, query = '') => pageAt({ path, query });

  test('of rules and concepts, as findings have them and as pages link to each other', () => {
    assert.deepEqual(at('rule/scan-pattern'), { kind: 'explain', name: 'scan-pattern' });
    assert.deepEqual(at('concept/sparse-index'), { kind: 'explain', name: 'sparse-index' });
    assert.deepEqual(at('/concepts/sparse-index.md'), { kind: 'explain', name: 'sparse-index' });
    assert.deepEqual(pageAt(explainAddress('hot-partition-key')), { kind: 'explain', name: 'hot-partition-key' });
  });
  test('of what pages rest on, which is beside their folders', () => {
    assert.deepEqual(at('/facts.md'), { kind: 'explain', name: 'facts' });
    assert.deepEqual(at('numbers.md'), { kind: 'explain', name: 'numbers' });
  });
  test('of costs hold the file that they are of', () => {
    const file = 'file:///models/caf%C3%A9/my%20shop.dynamo';
    assert.deepEqual(costAddress(file), { path: 'cost/my shop.dynamo: cost', query: file });
    assert.deepEqual(pageAt(costAddress(file)), { kind: 'cost', file });
    assert.deepEqual(pageAt(costAddress('untitled:Untitled-1')), { kind: 'cost', file: 'untitled:Untitled-1' });
  });
  test('of anything else are none', () => {
    for (const path of ['', 'rule', 'rule/', 'rule/a/b', 'nothing/a', 'cost/shop.dynamo']) {
      assert.equal(at(path), undefined, path);
    }
  });
});

describe('a page beside what is in front', () => {
  const beside = (all: number[], active: number, isPage = false) => columnBeside({ all, active, isPage });

  test('opens a column only where there is but one', () => {
    assert.equal(beside([1], 1), undefined);
    assert.equal(beside([1], 1, true), undefined);
    assert.equal(beside([1, 2], 1), 2);
  });
  test('takes the column to the left of the last one', () => {
    assert.equal(beside([1, 2], 2), 1);
    assert.equal(beside([1, 2, 3], 3), 2);
  });
  test('follows a page in its column, and never covers a model', () => {
    assert.equal(beside([1, 2], 2, true), 2);
    assert.equal(beside([1, 2, 3], 2, true), 2);
  });
});

describe('generated documents', () => {
  test('are known by their names, with a model before them or without', () => {
    assert.equal(kindOf('/a/dynamodb_requirement.md'), 'requirement');
    assert.equal(kindOf('/a/shop.dynamodb_data_model.md'), 'dataModel');
    for (const name of ['/a/README.md', '/a/my_dynamodb_requirement.md', '/dynamodb_requirement.md/a.txt']) {
      assert.equal(kindOf(name), undefined, name);
    }
  });
  test('and by the marks in them', () => {
    assert.ok(isGenerated('# A\n<!-- keywright:begin requirement/title 1 -->\n'));
    assert.ok(!isGenerated('# How DynamoDB is asked\n'));
  });
});

test('a new model has a name that no file has, in any case of its letters', () => {
  assert.equal(freeName(new Set()), 'model.dynamo');
  assert.equal(freeName(new Set(['Model.dynamo', 'model-2.dynamo'])), 'model-3.dynamo');
});

describe('the status', () => {
  const model = (change: Partial<ModelStatus> = {}): ModelStatus => ({
    root: 'shop.dynamo',
    monthly: '$126/mo',
    findings: { errors: 0, warnings: 0, infos: 0, hints: 0 },
    ...change,
  });

  test('of a clean model is its cost and a tick', () => {
    assert.equal(shown([model()])?.text, '$(database) $126/mo  $(check)');
  });
  test('counts errors and warnings, and tells the rest where it is pointed at', () => {
    const status = shown([model({ findings: { errors: 1, warnings: 2, infos: 3, hints: 1 } })]);
    assert.equal(status?.text, '$(database) $126/mo  $(error) 1 $(warning) 2');
    assert.equal(status?.tooltip, '**shop\\.dynamo**: \\$126/mo, 1 error, 2 warnings, 3 remarks, 1 hint');
  });
  test('of a file of several models adds up what is found, and no bills', () => {
    const one = model({ findings: { errors: 1, warnings: 0, infos: 0, hints: 0 } });
    const status = shown([one, model({ root: 'b_[x].dynamo', monthly: 'at least $3.00/mo' })]);
    assert.equal(status?.text, '$(database) 2 models  $(error) 1 $(warning) 0');
    assert.match(status?.tooltip ?? '', /\n\n\*\*b\\_\\\[x\\\]\\\.dynamo\*\*: at least \\\$3\\\.00\/mo, nothing found$/);
  });
  test('of no model is none', () => {
    assert.equal(shown([]), undefined);
  });
});

describe('diagrams', () => {
  test('of generated documents are drawn, others stay as they are written', () => {
    assert.ok(canDraw('erDiagram\n  A ||--o{ B : has'));
    assert.ok(canDraw('\nflowchart LR\n  a --> b'));
    assert.ok(!canDraw('sequenceDiagram\n  A->>B: x'));
    assert.ok(!canDraw('graphics'));
  });
  test('follow the theme of the preview', () => {
    assert.equal(themeFor('vscode-body vscode-dark'), 'dark');
    assert.equal(themeFor('vscode-body vscode-light'), 'default');
    assert.equal(themeFor('vscode-body vscode-high-contrast'), 'dark');
    assert.equal(themeFor('vscode-high-contrast vscode-high-contrast-light'), 'default');
  });
});
