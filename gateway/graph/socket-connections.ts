// The WebSockets that were let in, with the credential of each, and the number that each account holds.
import { Counts } from '#platform/counts.ts';
import { Failure, fail } from '#platform/errors.ts';
import type { SocketExtra } from '#platform/graphql-socket.ts';
import type { Origin, Viewer } from '#platform/identity.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { LogFields } from '#platform/route.ts';
import { bearerKey } from '../http/bearer.ts';

/** Either a key or a session's token; its syntax and length are checked before it is looked up or stored. Connections with equal credentials share one look-up in each check. */
export type Credential = { key: string } | { token: string };

export interface Connection {
  origin: Origin;
  logFields: LogFields;
  token: string | undefined;
  header: string | undefined;
  credential?: Credential;
  viewer?: Viewer;
}

export const secretOf = (credential: Credential): string => ('key' in credential ? credential.key : credential.token);

/** Throws key_missing, key_malformed, session_invalid. */
export function credentialOf(given: unknown, token: string | undefined): Credential {
  if (typeof given === 'string') {
    const key = bearerKey(given);
    if (key instanceof Failure) throw key;
    return { key };
  }
  if (!token) throw fail('session_invalid');
  return { token };
}

export class OpenConnections {
  readonly #maxPerAccount: number;
  readonly #metrics: Metrics;
  readonly #open = new Set<SocketExtra<Connection>>();
  readonly #perAccount = new Counts();

  constructor(maxPerAccount: number, metrics: Metrics) {
    this.#maxPerAccount = maxPerAccount;
    this.#metrics = metrics;
  }

  /** Throws connections_exhausted. */
  add(extra: SocketExtra<Connection>): void {
    if (this.#perAccount.of(accountOf(extra)) >= this.#maxPerAccount) throw fail('connections_exhausted');
    this.#perAccount.add(accountOf(extra));
    this.#open.add(extra);
    this.#metrics.sockets.set({ route: 'graphql' }, this.#open.size);
  }

  remove(extra: SocketExtra<Connection>): void {
    if (!this.#open.delete(extra)) return;
    this.#perAccount.remove(accountOf(extra));
    this.#metrics.sockets.set({ route: 'graphql' }, this.#open.size);
  }

  all(): Iterable<SocketExtra<Connection>> {
    return this.#open;
  }
}

const accountOf = ({ viewer }: Connection): string => (viewer && 'accountId' in viewer ? viewer.accountId : '');
