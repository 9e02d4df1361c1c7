import * as path from 'node:path';

/** Where a server was found, in the order of looking. */
export type Source = 'setting' | 'bundled' | 'path';

export interface Found {
  readonly command: string;
  readonly source: Source;
}

/** Nothing to start; `place` is where the server was looked for last. */
export interface Missing {
  readonly source: 'setting' | 'path';
  readonly place: string;
}

/** What the search depends on, so that it needs no editor and no disk. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** The setting `keywright.server.path`. */
  readonly setting: string;
  /** The folder of the extension. */
  readonly extension: string;
  readonly home: string;
  /** The first folder of the workspace, if there is one. */
  readonly folder: string | undefined;
  /** The environment variable `PATH`. */
  readonly searchPath: string;
  /** Whether there is a program that can be run at an absolute path. */
  isProgram(file: string): boolean;
}

/**
 * The server to start: what the setting says, else the one that came with the
 * extension, else the one on the PATH. A setting that names nothing is not
 * passed over: whoever set it wants that server and no other.
 */
export function lookUp(around: Surroundings): Found | Missing {
  const setting = around.setting.trim();
  if (setting !== '') {
    const named = fromSetting(setting, around);
    return named === undefined ? { source: 'setting', place: setting } : { command: named, source: 'setting' };
  }
  const bundled = bundledServer(around);
  if (around.isProgram(bundled)) {
    return { command: bundled, source: 'bundled' };
  }
  const onPath = fromPath('keywright', around);
  return onPath === undefined
    ? { source: 'path', place: around.searchPath }
    : { command: onPath, source: 'path' };
}

/** Where a platform's VSIX carries its server. */
export function bundledServer(around: Pick<Surroundings, 'platform' | 'extension'>): string {
  return paths(around.platform).join(around.extension, 'server', `keywright${suffix(around.platform)}`);
}

export function isFound(result: Found | Missing): result is Found {
  return 'command' in result;
}

function fromSetting(setting: string, around: Surroundings): string | undefined {
  const { isAbsolute, resolve, join } = paths(around.platform);
  let file = setting.replace(/^~(?=[/\\]|$)/, () => around.home);
  if (around.folder !== undefined) {
    const folder = around.folder;
    file = file.replaceAll('${workspaceFolder}', () => folder);
  }
  if (!/[/\\]/.test(file)) {
    return fromPath(file, around);
  }
  if (!isAbsolute(file)) {
    if (around.folder === undefined) {
      return undefined;
    }
    file = resolve(around.folder, file);
  }
  return program(join(file), around);
}

/**
 * Programs are looked for here and not by the system: on Windows that would
 * look into the current folder first, which may be a stranger's workspace. For
 * the same reason relative entries of the PATH do not count.
 */
function fromPath(name: string, around: Surroundings): string | undefined {
  const { delimiter, isAbsolute, join } = paths(around.platform);
  const folders = around.searchPath.split(delimiter).map(folder => folder.replace(/^"(.*)"$/, '$1'));
  for (const folder of folders.filter(folder => isAbsolute(folder))) {
    const found = program(join(folder, name), around);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** The file, with or without the ending that programs have on this platform. */
function program(file: string, around: Surroundings): string | undefined {
  const ending = suffix(around.platform);
  const spelled = ending !== '' && !file.toLowerCase().endsWith(ending) ? [file + ending, file] : [file];
  return spelled.find(file => around.isProgram(file));
}

function suffix(platform: NodeJS.Platform): string {
  return platform === 'win32' ? '.exe' : '';
}

function paths(platform: NodeJS.Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}
