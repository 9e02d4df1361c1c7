import schema from '../../../../docs/keywright.schema.json';

/** Every rule and what it finds. Groups of rules have levels as well, and no default. */
export const rules: ReadonlyMap<string, string> = new Map(
  Object.entries(schema.properties.levels.properties)
    .filter(([, setting]) => 'default' in setting)
    .map(([name, setting]) => [name, setting.description]),
);
