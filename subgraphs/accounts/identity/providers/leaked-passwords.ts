// Passwords of published leaks, from a file that the operator has downloaded with Have I Been Pwned's downloader: per line a SHA-1 in hexadecimal and how often
// it was seen, sorted. The file has tens of gigabytes, so it is searched on disk. Nothing about a password leaves this process.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { normalizePassword } from '../domain/password.ts';
import { StartFailure } from '#platform/start-failure.ts';

const readAt = promisify(read);

export interface LeakedPasswords {
  has(password: string): Promise<boolean>;
}

const LINE = /^([0-9A-F]{40})(:\d+)?\r?$/i;
/** Longer than two lines, so that a window contains a whole line wherever it begins. */
const WINDOW = 160;

/** Opens the file; throws when it has another format. Without a file no password counts as leaked. */
export function openLeakedPasswords(path: string | undefined, closing: (close: () => Promise<void>) => void): LeakedPasswords {
  if (path === undefined) return { has: () => Promise.resolve(false) };
  const file = openSync(path, 'r');
  closing(async () => closeSync(file));
  const { size } = fstatSync(file);
  const head = Buffer.alloc(WINDOW);
  const [first = ''] = head.toString('latin1', 0, readSync(file, head, 0, WINDOW, 0)).split('\n');
  if (!LINE.test(first))
    throw new StartFailure(
      `The configuration is wrong: LEAKED_PASSWORDS_FILE must be lines of SHA-1:COUNT in order, and ${path} begins otherwise.`,
    );

  /** The hash in the first line that begins at `from` or later; undefined past the last line. */
  async function hashFrom(from: number): Promise<string | undefined> {
    // The byte before `from` tells whether a line begins at `from`.
    const start = Math.max(0, from - 1);
    const { bytesRead, buffer } = await readAt(file, Buffer.alloc(WINDOW), 0, WINDOW, start);
    const text = buffer.toString('latin1', 0, bytesRead);
    const line = from === 0 ? text : text.slice(text.indexOf('\n') + 1);
    return from > 0 && !text.includes('\n') ? undefined : LINE.exec(line.split('\n')[0] ?? '')?.[1]?.toUpperCase();
  }
  return {
    async has(password) {
      const wanted = createHash('sha1').update(normalizePassword(password)).digest('hex').toUpperCase();
      let [low, high] = [0, size];
      // Finds the smallest offset from which the next line is the wanted one or a later one.
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const hash = await hashFrom(middle);
        if (hash !== undefined && hash < wanted) low = middle + 1;
        else high = middle;
      }
      return (await hashFrom(low)) === wanted;
    },
  };
}
