// Bounds what says the same again and again: in an outage each of thousands of requests would write a line of its own.
import { SECOND } from './clock.ts';

/** Lines of one kind that are written within a window; of the others there is one line at its end that counts them. */
export const REPEATS = { max: 20, windowMs: 5 * SECOND };
/** Kinds that are known at once: messages are constant texts, so there are far fewer. */
const KINDS = 1_000;

export interface Repeats {
  /** Whether a line of this kind is to be written. `sumUp` is called when the window ends, where some were not. */
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

/** By its message, and by what its error is called: never by what names one request. */
export function kindOfLine([fields, message]: readonly unknown[]): string {
  const error = (fields as { err?: { name?: string; code?: unknown } } | undefined)?.err;
  return typeof fields === 'string' ? fields : `${String(message)} ${error?.name ?? ''} ${String(error?.code ?? '')}`;
}
