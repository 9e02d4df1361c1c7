/** The scheme of pages that are made and not read from a disk. */
export const SCHEME = 'keywright';

export type Page =
  /** The page of a rule or a concept, by its name. */
  | { readonly kind: 'explain'; readonly name: string }
  /** What the models of a file cost. */
  | { readonly kind: 'cost'; readonly file: string };

/** The parts of an address that say what it is of. */
export interface Address {
  readonly path: string;
  readonly query: string;
}

/**
 * What is at an address: `keywright:rule/scan-pattern`, as findings link to it,
 * `keywright:facts.md`, as these pages link to what they rest on,
 * `keywright:concept/sparse-index`, or `keywright:cost/shop.dynamo: cost?FILE`. The
 * links between pages are those of the project's folder of documentation, so
 * an ending is taken off.
 */
export function pageAt(address: Address): Page | undefined {
  const path = address.path.replace(/^\//, '');
  if (/^(?:facts|numbers)\.md$/.test(path)) {
    return { kind: 'explain', name: path.replace(/\.md$/, '') };
  }
  const [folder, name, ...more] = path.split('/');
  if (folder === undefined || name === undefined || name === '' || more.length > 0) {
    return undefined;
  }
  switch (folder) {
    case 'rule':
    case 'rules':
    case 'concept':
    case 'concepts':
      return { kind: 'explain', name: name.replace(/\.md$/, '') };
    case 'cost':
      return address.query === '' ? undefined : { kind: 'cost', file: address.query };
    default:
      return undefined;
  }
}

/** The address of a rule's or a concept's page. */
export function explainAddress(name: string): Address {
  return { path: `rule/${name}`, query: '' };
}

/**
 * The address of the page that says what the models of a file cost. Its tab is
 * titled by the last part, which therefore is not the model's own name.
 */
export function costAddress(file: string): Address {
  const name = file.replace(/[?#].*$/, '').split('/').pop() ?? '';
  return { path: `cost/${decode(name) || 'model'}: cost`, query: file };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
