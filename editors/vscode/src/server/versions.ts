/** What the versions of extension and server are to each other. */
export type Match = 'same' | 'compatible' | 'server-older' | 'server-newer' | 'unknown';

/**
 * Versions go together where semantic versioning says so: the same major
 * version, and before 1.0 the same minor one as well.
 */
export function compare(extension: string, server: string | undefined): Match {
  const own = numbers(extension);
  const other = numbers(server ?? '');
  if (own === undefined || other === undefined) {
    return 'unknown';
  }
  if (extension === server) {
    return 'same';
  }
  const counts = own[0] === 0 && other[0] === 0 ? 2 : 1;
  for (let at = 0; at < counts; at++) {
    if (own[at] !== other[at]) {
      return other[at]! < own[at]! ? 'server-older' : 'server-newer';
    }
  }
  return 'compatible';
}

function numbers(version: string): [number, number, number] | undefined {
  const found = /^(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version);
  return found === null ? undefined : [Number(found[1]), Number(found[2]), Number(found[3])];
}

/** What to tell the user, or nothing where the versions go together. */
export function advice(extension: string, server: string | undefined, where: string): string | undefined {
  const match = compare(extension, server);
  const versions = `The extension is Keywright ${extension}, the server (${where}) is ${server ?? 'without a version'}.`;
  switch (match) {
    case 'same':
    case 'compatible':
      return undefined;
    case 'server-older':
      return `${versions} Update the server: what the extension offers may be missing in it.`;
    case 'server-newer':
      return `${versions} Update the extension: it may not know what the server offers.`;
    case 'unknown':
      return `${versions} It is not known whether they go together.`;
  }
}
