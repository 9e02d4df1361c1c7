// The licences of what a VSIX carries of others: the npm packages in the bundles,
// and the crates in the server.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** What Cargo prints; without it there are no notices, and nothing is packaged. */
function printed(words, options) {
  try {
    return execFileSync('cargo', words, options);
  } catch (error) {
    console.error(`The notices name the crates of the server, which Cargo tells, also with --server: ${error.message}`);
    process.exit(1);
  }
}

/** The folders of the npm packages whose files stand in these bundles. */
function packagesOf(metafiles, root) {
  const folders = new Set();
  for (const { inputs, outputs } of metafiles) {
    // What was left out of a bundle is none of its inputs any more.
    const used = new Set(Object.values(outputs).flatMap(output => Object.keys(output.inputs)));
    for (const input of Object.keys(inputs).filter(input => used.has(input))) {
      const found = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input);
      if (found !== null) {
        folders.add(path.join(root, found[0]));
      }
    }
  }
  return [...folders].map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return { name, version, license: String(license ?? ''), folder };
  });
}

/** The crates that the server is built from, as Cargo knows them. */
function cratesOf(project, target) {
  const filter = target === undefined ? [] : ['--filter-platform', target];
  const options = { cwd: project, encoding: 'utf8', maxBuffer: 1 << 28 };
  const metadata = JSON.parse(printed(['metadata', '--format-version', '1', '--locked', ...filter], options));
  const nodes = new Map(metadata.resolve.nodes.map(node => [node.id, node]));
  const packages = new Map(metadata.packages.map(one => [one.id, one]));
  const own = metadata.packages.find(one => one.name === 'keywright');
  const reached = new Set();
  const reach = id => {
    if (reached.has(id)) {
      return;
    }
    reached.add(id);
    for (const { pkg, dep_kinds: kinds } of nodes.get(id)?.deps ?? []) {
      // What only tests and build scripts need is in no binary.
      if (kinds.some(({ kind }) => kind === null)) {
        reach(pkg);
      }
    }
  };
  reach(own.id);
  return [...reached]
    .map(id => packages.get(id))
    .filter(one => one.source !== null)
    .map(one => ({
      name: one.name,
      version: one.version,
      license: one.license ?? '',
      folder: path.dirname(one.manifest_path),
    }));
}

function licencesIn(folder) {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const wanted = files.filter(name => /^(?:licen[cs]e|copying|notice|unlicense)/i.test(name)).sort();
  return wanted.flatMap(name => {
    try {
      return [readFileSync(path.join(folder, name), 'utf8').trim()];
    } catch {
      return []; // A folder of licences: the name of the licence has to do.
    }
  });
}

/** All of them in one text. Texts that are the same stand once, below all that they are of. */
export function notices({ metafiles, root, project, withServer, target }) {
  const all = [...packagesOf(metafiles, root), ...(withServer ? cratesOf(project, target) : [])];
  const byText = new Map();
  for (const one of all) {
    const text = licencesIn(one.folder).join('\n\n') || `Licensed as ${one.license}.`;
    const names = byText.get(text) ?? new Set();
    byText.set(text, names.add(`${one.name} ${one.version} (${one.license})`));
  }
  const parts = [...byText].map(([text, names]) => ({ heads: [...names].sort(), text }));
  parts.sort((one, other) => one.heads[0].localeCompare(other.heads[0]));
  const line = '-'.repeat(80);
  const what = withServer ? 'the extension and its server' : 'the extension';
  const sections = parts.map(({ heads, text }) => `${line}\n${heads.join('\n')}\n\n${text}\n`);
  return `Third-party software in ${what}, and its licences\n\n${sections.join('\n')}`;
}
