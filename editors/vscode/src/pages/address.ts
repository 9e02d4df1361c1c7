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
 * `keywright:concept/sparse-index`, or `keywright:cost/shop.dynamo?FILE`. The
 * links between pages are those of the project's folder of documentation, so
 * an ending is taken off.
 */
export function pageAt(address: Address): Page | undefined {
  const [folder, name, ...more] = address.path.replace(/^\//, '').split('/');
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

/** The address of the page that says what the models of a file cost. */
export function costAddress(file: string): Address {
  const name = file.replace(/[?#].*$/, '').split('/').pop() ?? '';
  return { path: `cost/${decode(name) || 'model'}`, query: file };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
