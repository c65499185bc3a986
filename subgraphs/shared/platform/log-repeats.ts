// Limits repeated log lines: in an outage each of thousands of requests would write its own.
import { SECOND } from './clock.ts';

/** At most `max` lines of one kind are written per window; one line at the end of the window counts the others. */
export const REPEATS = { max: 20, windowMs: 5 * SECOND };
/** How many kinds are tracked at once: messages are constant texts, so there are far fewer. */
const KINDS = 1_000;

export interface Repeats {
  /** Whether to write a line of this kind. `sumUp` is called at the end of the window if lines were left out. */
  admit(kind: string, sumUp: (unsaid: number, seconds: number) => void): boolean;
}

export function createRepeats(): Repeats {
  const windows = new Map<string, { said: number; unsaid: number }>();
  return {
    admit(kind, sumUp) {
      const open = windows.get(kind);
      if (open) {
        if (open.said < REPEATS.max) open.said++;
        else open.unsaid++;
        return open.unsaid === 0;
      }
      if (windows.size >= KINDS) return true;
      const window = { said: 1, unsaid: 0 };
      windows.set(kind, window);
      setTimeout(() => {
        windows.delete(kind);
        if (window.unsaid > 0) sumUp(window.unsaid, REPEATS.windowMs / SECOND);
      }, REPEATS.windowMs).unref();
      return true;
    },
  };
}

/** The kind of a line: its message, and its error's name and code; nothing that identifies one request. */
export function kindOfLine([fields, message]: readonly unknown[]): string {
  const error = (fields as { err?: { name?: string; code?: unknown } } | undefined)?.err;
  return typeof fields === 'string' ? fields : `${String(message)} ${error?.name ?? ''} ${String(error?.code ?? '')}`;
}
