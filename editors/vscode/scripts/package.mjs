// Makes a VSIX.
//
//   npm run package                          without a server: for every platform
//   npm run package -- --target linux-x64    with the server, built by Cargo
//     --server FILE   a server that is built already
//     --out FILE      where the VSIX goes (default: keywright[-TARGET].vsix)
//
// What goes in is the list `files` of `package.json`, copied into a folder of its
// own first, together with what comes from elsewhere in the project: the licences
// and the pictures.

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { bundle, ROOT } from './build.mjs';
import { notices } from './notices.mjs';

/** Platforms of VS Code, as Rust, and as Node call them. */
const TARGETS = {
  'linux-x64': { rust: 'x86_64-unknown-linux-gnu', node: 'linux x64' },
  'linux-arm64': { rust: 'aarch64-unknown-linux-gnu', node: 'linux arm64' },
  'alpine-x64': { rust: 'x86_64-unknown-linux-musl' },
  'alpine-arm64': { rust: 'aarch64-unknown-linux-musl' },
  'darwin-x64': { rust: 'x86_64-apple-darwin', node: 'darwin x64' },
  'darwin-arm64': { rust: 'aarch64-apple-darwin', node: 'darwin arm64' },
  'win32-x64': { rust: 'x86_64-pc-windows-msvc', node: 'win32 x64' },
  'win32-arm64': { rust: 'aarch64-pc-windows-msvc', node: 'win32 arm64' },
};

/** What the pictures may weigh together: who installs the extension loads them too. */
const MOST_PICTURES = 1 << 20;

/** A picture of the project's documentation in a page of Markdown. */
const PICTURE = /!\[[^\]]*\]\(((?:\.\.\/)+docs\/images\/[^)\s]+\.png)\)/g;

const PROJECT = path.resolve(ROOT, '..', '..');
const STAGE = path.join(ROOT, 'stage');
const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));

function fail(text) {
  console.error(text);
  process.exit(1);
}

const { values: options } = parseArgs({
  options: { target: { type: 'string' }, server: { type: 'string' }, out: { type: 'string' } },
});
const target = options.target === undefined ? undefined : TARGETS[options.target];
if (options.target !== undefined && target === undefined) {
  fail(`There is no target ${options.target}; there are ${Object.keys(TARGETS).join(', ')}`);
}
if (options.server !== undefined && target === undefined) {
  fail('A server goes into the VSIX of a --target');
}

rmSync(STAGE, { recursive: true, force: true });
mkdirSync(STAGE);
execFileSync(process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '--noEmit'], { cwd: ROOT, stdio: 'inherit' });
const metafiles = await bundle({ minify: true });
for (const entry of manifest.files) {
  cpSync(path.join(ROOT, entry), path.join(STAGE, entry), { recursive: true });
}
addPictures(path.join(STAGE, 'walkthrough'));
if (target !== undefined) {
  addServer(options.server === undefined ? buildServer() : path.resolve(options.server));
}
const read = name => readFileSync(path.join(PROJECT, name), 'utf8');
writeFileSync(
  path.join(STAGE, 'LICENSE.txt'),
  `Keywright is licensed under the MIT licence or the Apache licence 2.0, as you like.\n\n` +
    `${read('LICENSE-MIT')}\n${'-'.repeat(80)}\n\n${read('LICENSE-APACHE')}`,
);
writeFileSync(
  path.join(STAGE, 'ThirdPartyNotices.txt'),
  notices({ metafiles, root: ROOT, project: PROJECT, withServer: target !== undefined, target: target?.rust }),
);
writeFileSync(path.join(STAGE, 'README.md'), withoutPictures(readFileSync(path.join(ROOT, 'README.md'), 'utf8')));
cpSync(path.join(PROJECT, 'CHANGELOG.md'), path.join(STAGE, 'CHANGELOG.md'));
// What is only for building says nothing to an editor.
const { scripts, devDependencies, dependencies, private: _, files, ...shipped } = manifest;
writeFileSync(path.join(STAGE, 'package.json'), `${JSON.stringify(withoutNode(shipped), null, 2)}\n`);

// The folder holds nothing else: nothing is ignored.
writeFileSync(path.join(STAGE, '.vscodeignore'), '');

const name = options.target === undefined ? 'keywright.vsix' : `keywright-${options.target}.vsix`;
const out = path.resolve(options.out ?? path.join(ROOT, name));
// There is no public repository yet, so none is named, and no link is made of one.
const vsce = ['package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', out];
if (options.target !== undefined) {
  vsce.push('--target', options.target);
}
execFileSync(process.execPath, [path.join(ROOT, 'node_modules/@vscode/vsce/vsce'), ...vsce], { cwd: STAGE, stdio: 'inherit' });
rmSync(STAGE, { recursive: true, force: true });
console.log(`${out}: ${megabytes(statSync(out).size)}`);

/** The editor brings its own Node: which one builds the extension is no matter of it. */
function withoutNode({ engines: { vscode }, ...rest }) {
  return { ...rest, engines: { vscode } };
}

/** Builds the server as it is shipped. */
function buildServer() {
  const own = execFileSync('rustc', ['-vV'], { encoding: 'utf8' }).match(/^host: (.*)$/m)[1];
  const cross = target.rust === own ? [] : ['--target', target.rust];
  execFileSync('cargo', ['build', '--release', '--locked', '--package', 'keywright', ...cross], { cwd: PROJECT, stdio: 'inherit' });
  const metadata = execFileSync('cargo', ['metadata', '--format-version', '1', '--no-deps', '--locked'], {
    cwd: PROJECT,
    encoding: 'utf8',
  });
  const folder = JSON.parse(metadata).target_directory;
  return path.join(folder, ...(cross.length > 0 ? [target.rust] : []), 'release', program());
}

function program() {
  return options.target.startsWith('win32') ? 'keywright.exe' : 'keywright';
}

/** Puts a server into the VSIX, if it is the one that goes with the extension. */
function addServer(file) {
  if (!existsSync(file)) {
    fail(`There is no server at ${file}`);
  }
  if (target.node === `${process.platform} ${process.arch}`) {
    const says = execFileSync(file, ['--version'], { encoding: 'utf8' }).trim();
    if (says !== `keywright ${manifest.version}`) {
      fail(`The extension is ${manifest.version}, and ${file} says that it is ${says}`);
    }
  } else {
    console.log(`${file} does not run on this machine: whether it is Keywright ${manifest.version} is not checked`);
  }
  mkdirSync(path.join(STAGE, 'server'));
  const placed = path.join(STAGE, 'server', program());
  cpSync(file, placed);
  chmodSync(placed, 0o755);
  console.log(`server: ${megabytes(statSync(placed).size)}`);
}

/**
 * The README without its pictures. An editor shows those of a README from the web
 * only, and there is no address there yet; the walkthrough shows them.
 */
function withoutPictures(readme) {
  return readme.replace(new RegExp(PICTURE.source + '\\n*', 'g'), '');
}

/**
 * Copies the pictures of the walkthrough beside its pages. One that is not there is
 * left out, since it is taken from the extension that this makes; that it is there
 * in the end is for a test to say.
 */
function addPictures(folder) {
  let weight = 0;
  for (const page of readdirSync(folder).filter(name => name.endsWith('.md'))) {
    const text = readFileSync(path.join(folder, page), 'utf8').replace(PICTURE, (shown, name) => {
      const picture = path.join(ROOT, 'walkthrough', name);
      if (!existsSync(picture)) {
        console.log(`${page} shows ${name}, which is not there: it is left out`);
        return '';
      }
      const placed = path.join('images', path.basename(picture));
      cpSync(picture, path.join(folder, placed));
      weight += statSync(picture).size;
      return shown.replace(name, placed.replaceAll(path.sep, '/'));
    });
    writeFileSync(path.join(folder, page), text);
  }
  if (weight > MOST_PICTURES) {
    fail(`The pictures of the walkthrough are ${megabytes(weight)}, more than ${megabytes(MOST_PICTURES)}`);
  }
}

function megabytes(bytes) {
  return `${(bytes / (1 << 20)).toFixed(1)} MB`;
}
