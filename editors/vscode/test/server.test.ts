// How a server is found, whether it goes with the extension, and what becomes of
// one that ends by itself.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Crashes, ending, message } from '../src/server/crashes.ts';
import { bundledServer, lookUp, type Surroundings } from '../src/server/lookup.ts';
import { advice, compare } from '../src/server/versions.ts';

/** A Linux machine on which these programs are, and nothing is set. */
function linux(programs: readonly string[], change: Partial<Surroundings> = {}): Surroundings {
  return {
    platform: 'linux',
    setting: '',
    extension: '/ext',
    home: '/home/ana',
    folder: '/models',
    searchPath: '/usr/local/bin:/usr/bin',
    isProgram: file => programs.includes(file),
    ...change,
  };
}

/** The same of Windows. */
function windows(programs: readonly string[], change: Partial<Surroundings> = {}): Surroundings {
  return linux(programs, {
    platform: 'win32',
    extension: 'C:\\ext',
    home: 'C:\\Users\\ana',
    folder: 'C:\\models',
    searchPath: '"C:\\Program Files\\kw";C:\\bin',
    ...change,
  });
}

describe('a server is looked for', () => {
  test('in the setting before the extension, and there before the PATH', () => {
    const all = ['/opt/keywright', '/ext/server/keywright', '/usr/bin/keywright'];
    assert.deepEqual(lookUp(linux(all, { setting: '/opt/keywright' })), { command: '/opt/keywright', source: 'setting' });
    assert.deepEqual(lookUp(linux(all)), { command: '/ext/server/keywright', source: 'bundled' });
    assert.deepEqual(lookUp(linux(['/usr/bin/keywright'])), { command: '/usr/bin/keywright', source: 'path' });
  });
  test('on the PATH in its order', () => {
    const both = ['/usr/bin/keywright', '/usr/local/bin/keywright'];
    assert.deepEqual(lookUp(linux(both)), { command: '/usr/local/bin/keywright', source: 'path' });
  });
  test('and a setting that names nothing is told, not passed over', () => {
    const others = ['/ext/server/keywright', '/usr/bin/keywright'];
    assert.deepEqual(lookUp(linux(others, { setting: '/gone' })), { source: 'setting', place: '/gone' });
  });
  test('and where there is none, that is told', () => {
    assert.deepEqual(lookUp(linux([])), { source: 'path', place: '/usr/local/bin:/usr/bin' });
  });
  test('in a setting that is spelled in any of the ways that it may be', () => {
    const found = (setting: string, program: string): void =>
      assert.deepEqual(lookUp(linux([program], { setting })), { command: program, source: 'setting' });
    found('  /opt/keywright  ', '/opt/keywright');
    found('~/bin/keywright', '/home/ana/bin/keywright');
    found('tools/keywright', '/models/tools/keywright');
    found('./keywright', '/models/keywright');
    found('${workspaceFolder}/keywright', '/models/keywright');
    found('keywright-next', '/usr/bin/keywright-next');
  });
  test('and a path from the folder of a window without one is none', () => {
    const around = linux(['/tools/keywright'], { setting: 'tools/keywright', folder: undefined });
    assert.deepEqual(lookUp(around), { source: 'setting', place: 'tools/keywright' });
  });
  test('but never in a relative entry of the PATH, which may be a workspace', () => {
    const around = linux(['keywright', './keywright', '/models/keywright'], { searchPath: ':.:bin' });
    assert.deepEqual(lookUp(around), { source: 'path', place: ':.:bin' });
  });
  test('on Windows with its ending, whether that is said or not', () => {
    assert.equal(bundledServer({ platform: 'win32', extension: 'C:\\ext' }), 'C:\\ext\\server\\keywright.exe');
    const quoted = 'C:\\Program Files\\kw\\keywright.exe';
    assert.deepEqual(lookUp(windows([quoted])), { command: quoted, source: 'path' });
    const own = 'C:\\opt\\keywright.exe';
    for (const setting of ['C:\\opt\\keywright', 'C:\\opt\\keywright.exe', 'c:/opt/keywright']) {
      const result = lookUp(windows([own, 'c:\\opt\\keywright.exe'], { setting }));
      assert.equal('command' in result && result.command.toLowerCase(), own.toLowerCase(), setting);
    }
  });
});

describe('versions', () => {
  test('go together as semantic versioning has it', () => {
    assert.equal(compare('0.1.0', '0.1.0'), 'same');
    assert.equal(compare('0.1.0', '0.1.7'), 'compatible');
    assert.equal(compare('1.2.0', '1.9.3'), 'compatible');
    assert.equal(compare('0.2.0', '0.1.9'), 'server-older');
    assert.equal(compare('0.2.0', '0.10.0'), 'server-newer');
    assert.equal(compare('2.0.0', '1.9.0'), 'server-older');
    assert.equal(compare('0.9.0', '1.0.0'), 'server-newer');
    assert.equal(compare('0.1.0-beta.1', '0.1.0'), 'compatible');
  });
  test('that are none are not guessed at', () => {
    assert.equal(compare('0.1.0', undefined), 'unknown');
    assert.equal(compare('0.1.0', 'nightly'), 'unknown');
  });
  test('are told where they do not go together, with what to do', () => {
    assert.equal(advice('0.1.0', '0.1.3', 'from the PATH'), undefined);
    assert.match(advice('0.2.0', '0.1.0', 'from the PATH') ?? '', /0\.2\.0.*from the PATH.*0\.1\.0.*Update the server/);
    assert.match(advice('0.1.0', '0.2.0', 'from the PATH') ?? '', /Update the extension/);
    assert.match(advice('0.1.0', undefined, 'from the PATH') ?? '', /not known/);
  });
});

describe('a server that ends by itself', () => {
  test('is started again four times in three minutes', () => {
    const crashes = new Crashes();
    const restarts = [0, 1000, 2000, 3000, 4000].map(time => crashes.note(time).restart);
    assert.deepEqual(restarts, [true, true, true, true, false]);
    assert.deepEqual(crashes.note(4000 + 180_000), { restart: true, count: 1 });
  });
  test('is started again after somebody has seen to it', () => {
    const crashes = new Crashes();
    for (let time = 0; time < 5; time++) {
      crashes.note(time);
    }
    crashes.forget();
    assert.deepEqual(crashes.note(6), { restart: true, count: 1 });
  });
  test('is told of with how it ended and what happens next', () => {
    assert.equal(
      message(ending(null, 'SIGKILL'), { restart: true, count: 1 }),
      'The Keywright server was ended by SIGKILL. It is being started again.',
    );
    assert.equal(
      message(ending(101, null), { restart: false, count: 5 }),
      'The Keywright server ended with status 101, the fifth time in three minutes. It is not started again by itself.',
    );
    assert.equal(ending(null, null), 'closed its connection');
  });
});
