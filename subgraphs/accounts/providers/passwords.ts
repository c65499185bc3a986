// Password hashing with Node's own argon2id, never more than a few at once: each takes 19 MiB and tens of milliseconds by design.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { fail } from '#shared/errors.ts';
import { normalizePassword } from '../domain/password.ts';

const derive = promisify(argon2);

/** OWASP's first recommendation for argon2id. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const AT_ONCE = 4;
/** Who would wait longer than this many hashes is told to come back. */
const LONGEST_QUEUE = 64;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** `stored` undefined: an unknown account; it takes as long as a known one. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

const format = (salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${salt.toString('base64url')}$${tag.toString('base64url')}`;

export function createPasswords(): Passwords {
  let running = 0;
  const waiting: (() => void)[] = [];
  const limited = async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= AT_ONCE) {
      if (waiting.length >= LONGEST_QUEUE) throw fail('too_many_attempts', { retry_after_seconds: 5 });
      await new Promise<void>((turn) => waiting.push(turn));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
  const tagOf = (password: string, salt: Buffer): Promise<Buffer> =>
    limited(() => derive('argon2id', { message: normalizePassword(password), nonce: salt, ...PARAMETERS }) as Promise<Buffer>);

  const dummy = format(randomBytes(16), randomBytes(32));
  return {
    async hash(password) {
      const salt = randomBytes(16);
      return format(salt, await tagOf(password, salt));
    },
    async verify(password, stored) {
      const [salt, tag] = (stored ?? dummy)
        .split('$')
        .slice(-2)
        .map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
      const given = await tagOf(password, salt);
      return timingSafeEqual(given, tag) && stored !== undefined;
    },
  };
}
