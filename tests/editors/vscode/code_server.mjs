// VS Code as it runs behind a web server: started on a free port of the machine
// itself, with folders of its own for everything, and ended in every case.

import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { until } from './wait.mjs';

/** What would move, ask or reach for the network while a test looks. */
const SETTINGS = {
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'window.commandCenter': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
};

export class CodeServer {
  /** Everything of this VS Code lies in `folder`; `tools` is where its packages are. */
  constructor(tools, folder) {
    this.folder = folder;
    this.program = join(tools, 'node_modules/code-server/out/node/entry.js');
    this.userData = join(folder, 'user-data');
    this.extensions = join(folder, 'extensions');
    this.log = join(folder, 'code-server.log');
    for (const path of [join(this.userData, 'User'), join(this.userData, 'Machine'), this.extensions, join(folder, 'home')]) {
      mkdirSync(path, { recursive: true });
    }
    writeFileSync(join(folder, 'config.yaml'), 'auth: none\ncert: false\n');
    writeFileSync(join(this.userData, 'User/settings.json'), JSON.stringify(SETTINGS, null, 2));
    this.configure({});
  }

  /** The settings of this machine. */
  configure(settings) {
    writeFileSync(join(this.userData, 'Machine/settings.json'), JSON.stringify(settings, null, 2));
  }

  /** Installs extensions from VSIX files, as a user does from the command line. */
  async install(...packages) {
    for (const file of packages) {
      const child = this.#spawn(['--install-extension', file, '--force'], process.env.PATH);
      const status = await new Promise(resolve => child.once('exit', resolve));
      const log = readFileSync(this.log, 'utf8');
      if (status !== 0 || !log.includes('was successfully installed')) {
        throw new Error(`${file} could not be installed (status ${status}):\n${tail(log)}`);
      }
    }
  }

  /** Starts it with `path` as the PATH of everything that runs in it. */
  async start(path) {
    this.child = this.#spawn(['--bind-addr', '127.0.0.1:0'], path);
    const before = readFileSync(this.log, 'utf8').length;
    await until('code-server to listen', () => {
      if (this.child.exitCode !== null) {
        throw new Error(`code-server ended with ${this.child.exitCode}:\n${tail(readFileSync(this.log, 'utf8'))}`);
      }
      const found = readFileSync(this.log, 'utf8').slice(before).match(/listening on (http:\/\/127\.0\.0\.1:\d+)/);
      this.address = found?.[1];
      return this.address;
    });
  }

  /** Ends it and all that it started. */
  async stop() {
    const child = this.child;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise(resolve => child.once('exit', resolve));
    signal(child, 'SIGTERM');
    const patience = setTimeout(() => signal(child, 'SIGKILL'), 10_000);
    await ended;
    clearTimeout(patience);
    // What has outlived its parent.
    signal(child, 'SIGKILL');
  }

  /** At once, where nothing can be waited for any more. */
  kill() {
    if (this.child) signal(this.child, 'SIGKILL');
  }

  #spawn(options, path) {
    const output = openSync(this.log, 'a');
    const all = [
      this.program,
      ...['--config', join(this.folder, 'config.yaml')],
      ...['--user-data-dir', this.userData, '--extensions-dir', this.extensions],
      ...['--auth', 'none', '--disable-telemetry', '--disable-update-check', '--disable-proxy'],
      ...['--disable-getting-started-override', '--disable-workspace-trust', '--ignore-last-opened'],
      ...options,
    ];
    const home = join(this.folder, 'home');
    // As if it was started in a terminal: nothing is taken from a login shell.
    const env = { VSCODE_CLI: '1', HOME: home, PATH: path, LANG: 'C.UTF-8', XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') };
    // A group of its own, so that all of it can be ended together.
    const child = spawn(process.execPath, all, { env, detached: true, stdio: ['ignore', output, output] });
    closeSync(output);
    return child;
  }
}

/** The end of a log whose lines may be whole programs. */
function tail(log) {
  return log.split('\n').slice(-30).map(line => line.slice(0, 300)).join('\n');
}

/** To the whole group of a process. */
function signal(child, name) {
  try {
    process.kill(-child.pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
