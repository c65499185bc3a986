// Who caused bytes: what a node counts by under a lease, and what the ledger settles by.

/** The breakdown under a lease. Country, session and host come from the line and the request, client is the address of the customer. */
export interface Origin {
  country: string;
  /** Null for rotating lines. */
  session: string | null;
  host: string;
  client: string;
}

/** No member holds a bar: the country and session of a username, a host name or address, an address. */
export const originKey = ({ country, session, host, client }: Origin): string => `${country}|${session ?? ''}|${host}|${client}`;

/** With its key beside it, made once for a connection that counts under many leases. */
export interface KeyedOrigin extends Origin {
  readonly key: string;
}

export const keyed = (origin: Origin): KeyedOrigin => ({ ...origin, key: originKey(origin) });
