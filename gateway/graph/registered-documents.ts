// Documents that callers have registered, and then name by their hash: sent once to this process, or stored by the accounts subgraph for every one.
import { createHash } from 'node:crypto';
import type { Ask } from '#platform/ask.ts';
import { type Clock, SECOND } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { type Viewer, systemViewer } from '#platform/identity.ts';
import { Lru } from '#platform/lru.ts';
import { LIMITS } from './limits.ts';

export interface HashedDocument {
  /** SHA-256 of the text, in hexadecimal digits. */
  hash: string;
  /** Of its operation; empty: it has none. */
  name: string;
  text: string;
}

/** The documents that accounts have registered, for every process. */
export interface DocumentStore {
  /** Undefined: the account has not registered it. */
  textOf(viewer: Viewer & { accountId: string }, hash: string): Promise<string | undefined>;
  /** Throws parameter_invalid for too many. */
  add(viewer: Viewer & { accountId: string }, documents: readonly HashedDocument[]): Promise<void>;
}

export const NOTHING_STORED: DocumentStore = { textOf: async () => undefined, add: async () => undefined };

/** How long a stored document, or that there is none, is cached: a removed one is refused after that. */
const STORED_CACHE_MS = 10 * SECOND;
const STORED_CACHED = 1_024;

/** The documents that the accounts subgraph stores. */
export function storedDocuments(ask: Ask, clock: Clock): DocumentStore {
  const cached = new Lru<{ text: Promise<string | undefined>; until: number }>(STORED_CACHED);

  async function read(accountId: string, hash: string, requestId: string): Promise<string | undefined> {
    const query =
      'query storedDocument($accountId: ID!, $hash: String!) { text: registeredDocumentText(accountId: $accountId, hash: $hash) }';
    const { text } = await ask<{ text: string | null }>(query, { accountId, hash }, systemViewer('gateway', requestId));
    return text ?? undefined;
  }

  return {
    textOf({ accountId, requestId }, hash) {
      const place = `${accountId} ${hash}`;
      const now = clock.now().getTime();
      const known = cached.get(place);
      if (known && now < known.until) return known.text;
      const text = read(accountId, hash, requestId);
      cached.set(place, { text, until: now + STORED_CACHE_MS });
      text.catch(() => cached.delete(place));
      return text;
    },

    async add({ accountId, requestId }, documents) {
      const query =
        'mutation storeDocuments($accountId: ID!, $documents: [RegisteredDocumentInput!]!) { registeredDocumentsAdd(accountId: $accountId, documents: $documents) }';
      await ask(query, { accountId, documents }, systemViewer('gateway', requestId));
      for (const { hash } of documents) cached.delete(`${accountId} ${hash}`);
    },
  };
}

/** The hash by which a document is registered: SHA-256 of its text, in hexadecimal digits. */
export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Characters of documents that were sent once and are kept of an account, and of how many accounts. */
const SENT = { characters: 131_072, accounts: 256 };

/**
 * A document that is sent once with its SHA-256 is named by it afterwards (automatic persisted queries of Apollo, and `documentId` as `sha256:...`): an account's
 * own, and of this process; one that is not known any more is asked for again. What was registered is known to every process.
 * https://www.apollographql.com/docs/apollo-server/performance/apq
 */
export class RegisteredDocuments {
  readonly #sent = new Lru<Lru<string>>(SENT.accounts);
  readonly #stored: DocumentStore;

  constructor(stored: DocumentStore = NOTHING_STORED) {
    this.#stored = stored;
  }

  /** The document of a request; undefined: it is not registered (any more). Throws parameter_missing, parameter_invalid for another hash. */
  async documentOf(viewer: Viewer, query: string | undefined, hash: string | undefined): Promise<string | undefined> {
    if (hash === undefined || !('accountId' in viewer)) {
      if (query === undefined) throw fail('parameter_missing', { field: 'query' });
      return query;
    }
    const own = this.#sent.get(viewer.accountId);
    if (query === undefined) return own?.get(hash) ?? this.#stored.textOf(viewer, hash);
    if (textHash(query) !== hash) throw fail('parameter_invalid', { field: 'extensions', reason: because('hash_not_of_document') });
    if (query.length <= LIMITS.characters) this.#keep(viewer.accountId, own, hash, query);
    return query;
  }

  /** Registers documents for every process. Throws parameter_invalid for too many. */
  add(viewer: Viewer & { accountId: string }, documents: readonly HashedDocument[]): Promise<void> {
    return this.#stored.add(viewer, documents);
  }

  /** Throws document_not_registered for a key that asks registered documents alone, and another document. */
  async require(viewer: Viewer, query: string): Promise<void> {
    if (viewer.kind !== 'key' || !viewer.documentsOnly) return;
    if (query.length > LIMITS.characters || (await this.#stored.textOf(viewer, textHash(query))) === undefined)
      throw fail('document_not_registered');
  }

  #keep(accountId: string, own: Lru<string> | undefined, hash: string, text: string): void {
    const kept = own ?? new Lru<string>(SENT.characters, (_hash, document) => document.length);
    kept.set(hash, text);
    if (!own) this.#sent.set(accountId, kept);
  }
}
