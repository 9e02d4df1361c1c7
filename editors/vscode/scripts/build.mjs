// Bundles the extension into `dist/`: the part that the editor runs, and the two
// scripts of the Markdown preview. `--minify` as it is shipped, else with source maps.

import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import nodes from '../../../grammar/src/node-types.json' with { type: 'json' };
import schema from '../../../docs/keywright.schema.json' with { type: 'json' };

export const ROOT = path.resolve(fileURLToPath(import.meta.url), '..', '..');

/** What Mermaid loads for the kinds of diagrams that it is bundled with; its file names begin so. */
const WANTED = ['erDiagram', 'flowDiagram', 'dagre', 'sizeCapture'];

/**
 * Mermaid loads each kind of diagram when it is first seen. Generated documents
 * hold two kinds, and the others are several megabytes: they are left out.
 */
const onlyOurDiagrams = {
  name: 'only-our-diagrams',
  setup({ onResolve, onLoad, onEnd }) {
    const seen = new Set();
    onResolve({ filter: /^\.\/.*\.mjs$|^katex$|^@mermaid-js\/|^elkjs/ }, ({ kind, path: name, importer }) => {
      const isMermaid = importer.includes(`${path.sep}node_modules${path.sep}mermaid${path.sep}`);
      const wanted = WANTED.find(begin => path.basename(name).startsWith(`${begin}-`));
      seen.add(wanted);
      return isMermaid && kind === 'dynamic-import' && wanted === undefined ? { path: name, namespace: 'left-out' } : undefined;
    });
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'throw new Error("This kind of diagram is not bundled.");',
    }));
    onEnd(() => {
      const missing = WANTED.filter(begin => !seen.has(begin));
      return missing.length > 0 ? { errors: [{ text: `Mermaid has no ${missing.join(', ')} any more` }] } : {};
    });
  },
};

/** Bundles everything; returns what esbuild knows of what went into it. */
export async function bundle({ minify }) {
  await rm(path.join(ROOT, 'dist'), { recursive: true, force: true });
  await mkdir(path.join(ROOT, 'dist', 'preview'), { recursive: true });
  const shared = { absWorkingDir: ROOT, bundle: true, minify, sourcemap: !minify, metafile: true, logLevel: 'warning' };
  const extension = await build({
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    format: 'cjs',
    // The oldest editor that the extension runs in brings this one.
    target: 'node20',
    external: ['vscode'],
    plugins: [ruleLines],
  });
  const preview = await build({
    ...shared,
    entryPoints: { index: 'src/preview.ts', mermaid: 'src/diagrams/mermaid.ts' },
    outdir: 'dist/preview',
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    sourcemap: false,
    plugins: [onlyOurDiagrams, grammarWords],
  });
  return [extension.metafile, preview.metafile];
}

/** Of the schema of settings, the extension wants to know the rules and their one line. */
const ruleLines = {
  name: 'rule-lines',
  setup({ onLoad }) {
    onLoad({ filter: /keywright\.schema\.json$/ }, () => {
      const levels = schema.properties.levels.properties;
      const short = Object.entries(levels).map(([name, setting]) => {
        const { description, default: level } = setting;
        return [name, level === undefined ? { description } : { description, default: level }];
      });
      return {
        contents: JSON.stringify({ properties: { levels: { properties: Object.fromEntries(short) } } }),
        loader: 'json',
      };
    });
  },
};

/** Of the grammar, the preview wants to know the words of the language. */
const grammarWords = {
  name: 'grammar-words',
  setup({ onLoad }) {
    onLoad({ filter: /node-types\.json$/ }, () => ({
      contents: JSON.stringify(nodes.filter(({ named, type }) => !named && /^[a-z]/i.test(type)).map(({ named, type }) => ({ named, type }))),
      loader: 'json',
    }));
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundle({ minify: process.argv.includes('--minify') });
}
