// The store of `Idempotency-Key`: a repeated request gets the answer of the first one. As the processor documents, a request that was refused before it began is
// not stored, and keys expire after 24 hours.
import { createHash } from 'node:crypto';
import type { Books } from './books.ts';
import { inFlight, otherBody, otherEndpoint } from './fault.ts';
import type { StoredAnswer } from './state.ts';

export interface IdempotencyStore {
  /** Reserves `key` for a request, or returns the answer that is stored for it. Throws a fault when the key belongs to another request, or to one that still runs. */
  begin(key: string, path: string, body: string): StoredAnswer | null;
  /** Stores the answer of a request that has run. */
  finish(key: string, answer: Omit<StoredAnswer, 'path' | 'bodyHash' | 'at'>): void;
  /** Frees the key of a request that did not run. */
  release(key: string): void;
}

const KEPT_SECONDS = 24 * 60 * 60;

export function createIdempotencyStore(books: Books): IdempotencyStore {
  const running = new Map<string, { path: string; bodyHash: string }>();
  const { answers } = books.state;

  const prune = (): void => {
    for (const [key, answer] of Object.entries(answers)) {
      if (answer.at > books.now() - KEPT_SECONDS) return;
      delete answers[key];
    }
  };
  return {
    begin(key, path, body) {
      prune();
      const bodyHash = createHash('sha256').update(body).digest('base64url');
      const before = running.get(key) ?? answers[key];
      if (before && before.path !== path) throw otherEndpoint(key, before.path);
      if (before && before.bodyHash !== bodyHash) throw otherBody(key);
      if (running.has(key)) throw inFlight(key);
      const answer = answers[key];
      if (answer) return answer;
      running.set(key, { path, bodyHash });
      return null;
    },
    finish(key, answer) {
      const request = running.get(key);
      if (!request) throw new Error(`The idempotency key ${key} was not begun.`);
      answers[key] = { ...request, ...answer, at: books.now() };
      running.delete(key);
      books.changed();
    },
    release(key) {
      running.delete(key);
    },
  };
}
