// Writes into `package.json` the settings that a `keywright.toml` may hold as
// well, from its schema: which rules there are, their thresholds, the quotas.
// `npm run settings` after a rule came or went; a test says when.

import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(fileURLToPath(import.meta.url), '..', '..');
const PACKAGE = path.join(ROOT, 'package.json');
const SCHEMA = path.join(ROOT, '..', '..', 'docs', 'keywright.schema.json');

/** The settings as VS Code wants them described. */
export function shared(schema) {
  const { levels, thresholds, quotas, prices, region, style } = schema.properties;
  const over = 'What it says lies over `keywright.toml`.';
  return {
    'keywright.levels': {
      type: 'object',
      default: {},
      scope: 'window',
      propertyNames: { enum: Object.keys(levels.properties) },
      additionalProperties: { enum: levels.properties.cost.enum },
      markdownDescription: `Levels of rules and of groups of rules: \`{"scan-pattern": "error", "cost": "off"}\`. ${over}`,
    },
    'keywright.thresholds': {
      type: 'object',
      default: {},
      scope: 'window',
      additionalProperties: false,
      properties: thresholds.properties,
      markdownDescription: `Numbers that rules compare with: \`{"hot-partition-key": {"load": "60%"}}\`. ${over}`,
    },
    'keywright.quotas': {
      type: 'object',
      default: {},
      scope: 'window',
      additionalProperties: false,
      properties: quotas.properties,
      markdownDescription: `What the account gets, where AWS has raised it: \`{"table_write_units": 80000}\`. ${over}`,
    },
    'keywright.prices': {
      type: 'object',
      default: {},
      scope: 'window',
      propertyNames: prices.propertyNames,
      additionalProperties: prices.additionalProperties,
      markdownDescription: `Prices by Region and table class, in the shape of \`keywright.toml\`. ${over}`,
    },
    'keywright.style': {
      type: ['string', 'null'],
      enum: [...style.enum, null],
      markdownEnumDescriptions: [
        'A table for each group of entities that are read and written together.',
        'All entities in one table, with generic keys.',
        'As `keywright.toml` says.',
      ],
      default: null,
      scope: 'window',
      markdownDescription: `The school of design of models that name none. ${over}`,
    },
    'keywright.region': {
      type: ['string', 'null'],
      pattern: region.pattern,
      patternErrorMessage: 'A Region of AWS looks like eu-west-1.',
      default: null,
      scope: 'window',
      markdownDescription: `The AWS Region of models that name none. ${over}`,
    },
  };
}

/** The text of `package.json` with these settings in their places. */
export function withShared(text, schema) {
  const manifest = JSON.parse(text);
  const properties = manifest.contributes.configuration.properties;
  for (const [name, setting] of Object.entries(shared(schema))) {
    properties[name] = withoutNothing(setting);
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** As JSON has it: without what is undefined. */
function withoutNothing(value) {
  return JSON.parse(JSON.stringify(value));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const schema = JSON.parse(await readFile(SCHEMA, 'utf8'));
  await writeFile(PACKAGE, withShared(await readFile(PACKAGE, 'utf8'), schema));
}
