// Password hashing with Node's own argon2id. Only a few run at once: each takes 19 MiB and tens of milliseconds by design.
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { normalizePassword } from '../domain/password.ts';
import { type Waiter, createFairQueue } from './hash-queue.ts';

const derive = promisify(argon2);

/** OWASP's first recommendation for argon2id. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const CONCURRENCY = 4;
/** How many may wait among strangers, and among the others; further ones are asked to come back. */
const MAX_QUEUE = 64;

/** Everybody with a session shares one queue. */
const SIGNED_IN: Waiter = { who: 'signed in', proven: true };

export interface Passwords {
  hash(password: string, waiter?: Waiter): Promise<string>;
  /** `stored` undefined: the account is unknown; the check takes as long as for a known one. Without a waiter: for somebody who is signed in. */
  verify(password: string, stored: string | undefined, waiter?: Waiter): Promise<boolean>;
}

const format = (salt: Buffer, tag: Buffer) =>
  `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${salt.toString('base64url')}$${tag.toString('base64url')}`;

export function createPasswords(): Passwords {
  const queue = createFairQueue({ concurrency: CONCURRENCY, maxWaiting: MAX_QUEUE });
  const tagOf = (password: string, salt: Buffer, waiter: Waiter): Promise<Buffer> =>
    queue.run(waiter, () => derive('argon2id', { message: normalizePassword(password), nonce: salt, ...PARAMETERS }) as Promise<Buffer>);

  const dummy = format(randomBytes(16), randomBytes(32));
  return {
    async hash(password, waiter = SIGNED_IN) {
      const salt = randomBytes(16);
      return format(salt, await tagOf(password, salt, waiter));
    },
    async verify(password, stored, waiter = SIGNED_IN) {
      const [salt, tag] = (stored ?? dummy)
        .split('$')
        .slice(-2)
        .map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer];
      const given = await tagOf(password, salt, waiter);
      return timingSafeEqual(given, tag) && stored !== undefined;
    },
  };
}
