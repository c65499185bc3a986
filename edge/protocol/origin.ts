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

/** Where bytes left: an exit, and the address that targets saw where it is known. It says who used an address; nothing counts by it. */
export interface ExitName {
  id: string;
  address?: string | undefined;
}

/** With its key beside it, made once for a connection that counts under many leases. */
export interface KeyedOrigin extends Origin {
  readonly key: string;
  /** Absent: not known. */
  readonly exit?: ExitName | undefined;
}

export const keyed = (origin: Origin, exit?: ExitName): KeyedOrigin => ({ ...origin, key: originKey(origin), exit });
