// Looks at something again and again, until Ctrl-C or until it is done.
import { setTimeout as wait } from 'node:timers/promises';
import type { Option } from './command.ts';
import { type Given, WrongUse } from './given.ts';

/** A key has 120 requests a minute, for everything that it does. */
const DEFAULT_SECONDS = 5;
export const EVERY: Readonly<Record<string, Option>> = {
  every: { value: 'SECONDS', says: `how often to look, at least 1; else ${DEFAULT_SECONDS}` },
};

/** Returns when `signal` is aborted, or `look` says that it is done; rejects with what `look` rejects with before. */
export async function every(given: Given, signal: AbortSignal, look: () => Promise<boolean | void>): Promise<void> {
  const seconds = given.number('every') ?? DEFAULT_SECONDS;
  if (seconds < 1) throw new WrongUse('--every takes at least one second.');
  while (!signal.aborted) {
    try {
      if ((await look()) === true) return;
      await wait(seconds * 1_000, undefined, { signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
