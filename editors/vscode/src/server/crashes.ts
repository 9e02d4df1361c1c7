/** How often a server that ends by itself is started again, and within what time. */
const RESTARTS = 4;
const WITHIN_MS = 3 * 60 * 1000;

export interface Verdict {
  readonly restart: boolean;
  /** The ends in the last three minutes, this one included. */
  readonly count: number;
}

/**
 * Counts the ends of the server that nobody asked for. One that ends again and
 * again is left alone: starting it would keep the machine busy for nothing.
 */
export class Crashes {
  private times: number[] = [];

  /** Notes one, at a time in milliseconds, and says what to do about it. */
  note(now: number): Verdict {
    this.times = this.times.filter(time => now - time < WITHIN_MS);
    this.times.push(now);
    return { restart: this.times.length <= RESTARTS, count: this.times.length };
  }

  /** Somebody has seen to it: counting begins anew. */
  forget(): void {
    this.times = [];
  }
}

/** How a process ended, for a sentence that begins with "The server". */
export function ending(code: number | null, signal: string | null): string {
  if (signal !== null) {
    return `was ended by ${signal}`;
  }
  return code === null ? 'closed its connection' : `ended with status ${code}`;
}

/** What a user is told. */
export function message(how: string, verdict: Verdict): string {
  if (verdict.restart) {
    return `The Keywright server ${how}. It is being started again.`;
  }
  return `The Keywright server ${how}, the ${ordinal(verdict.count)} time in three minutes. It is not started again by itself.`;
}

function ordinal(count: number): string {
  const words = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
  return words[count - 1] ?? `${count}th`;
}
