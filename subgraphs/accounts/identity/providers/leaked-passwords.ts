// Passwords of published leaks, from a file that the operator has loaded: what Have I Been Pwned's downloader writes, one line per password, SHA-1 in
// hexadecimal with the times it was seen, in order. Tens of gigabytes, so it is searched where it lies; and nothing of a password leaves this
// process.
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
/** More than two lines: one that is whole stands in it wherever it begins. */
const WINDOW = 160;

/** Throws when the file is not one of those; without a file nothing is leaked. */
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

  /** The hash of the first line that begins at `from` or later; undefined past the last one. */
  async function hashFrom(from: number): Promise<string | undefined> {
    // The byte before tells whether a line begins right here.
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
      // The smallest place from which the next line is the wanted one, or comes after it.
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
