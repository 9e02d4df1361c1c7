import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, statSync } from 'node:fs';
import type { Found } from './lookup';

/** Whether a file is there and may be run. */
export function isProgram(file: string): boolean {
  try {
    if (!statSync(file).isFile()) {
      return false;
    }
    accessSync(file, process.platform === 'win32' ? constants.R_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Some tools that unpack a VSIX forget which of its files are programs. */
export function makeProgram(file: string): void {
  try {
    if (process.platform !== 'win32' && statSync(file).isFile() && !isProgram(file)) {
      chmodSync(file, 0o755);
    }
  } catch {
    // It is not there, or it is not ours to change: the search says so.
  }
}

/** Starts the server; fails where the system does not run the program. */
export function launch(found: Found): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const server = spawn(found.command, ['lsp'], { stdio: 'pipe' });
    server.once('error', reject);
    server.once('spawn', () => {
      server.off('error', reject);
      // A pipe that breaks is the connection's to report, which notices by itself.
      server.on('error', () => {});
      server.stdin.on('error', () => {});
      resolve(server);
    });
  });
}
