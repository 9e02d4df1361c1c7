// Waiting for what has to come: a condition and a generous limit, never a fixed
// time, so that a slow machine is slow and not wrong.

export const LIMIT_MS = 60_000;
const STEP_MS = 50;

export const sleep = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));

/**
 * Waits until `condition` gives something and returns that. `state` tells what
 * there is instead, for the message.
 */
export async function until(what, condition, { limit = LIMIT_MS, state } = {}) {
  const end = Date.now() + limit;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) {
      const there = state ? `; there is: ${JSON.stringify(await state(), null, 1)}` : '';
      throw new Error(`waited ${limit / 1000} s for ${what}${there}`);
    }
    await sleep(STEP_MS);
  }
}
