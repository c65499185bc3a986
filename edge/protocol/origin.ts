// The origin of bytes: nodes count by it within a lease, and the ledger settles by it.

/** Country, session and host come from the line and the request; client is the customer's address. */
export interface Origin {
  country: string;
  /** Null for rotating lines. */
  session: string | null;
  host: string;
  client: string;
}

/** Unambiguous: no member can contain a bar. */
export const originKey = ({ country, session, host, client }: Origin): string => `${country}|${session ?? ''}|${host}|${client}`;

/** The exit that bytes left by, and the address that targets saw, if known. It shows who used an address; billing does not depend on it. */
export interface ExitName {
  id: string;
  address?: string | undefined;
}

/** An origin with its key, which is made once for a connection that counts under many leases. */
export interface KeyedOrigin extends Origin {
  readonly key: string;
  /** Absent: unknown. */
  readonly exit?: ExitName | undefined;
}

export const keyed = (origin: Origin, exit?: ExitName): KeyedOrigin => ({ ...origin, key: originKey(origin), exit });
