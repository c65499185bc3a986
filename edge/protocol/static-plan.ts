// A static plan as nodes are told of it: its addresses, and who may use them. Its traffic is not metered, so it has no leases.
import type { ListedNetwork } from './client-network.ts';

export interface StaticPlanFacts {
  planId: string;
  username: string;
  /** SHA-256 of the password. */
  fingerprint: Buffer;
  /** SHA-256 of the passwords before changes. */
  oldFingerprints?: readonly Buffer[] | undefined;
  /** False while the plan is suspended. */
  open: boolean;
  /** The account is suspended; then `open` is false too. */
  suspended?: boolean | undefined;
  /** Client addresses that may use it, with the password, besides the networks of an address. Empty: any address may, unless `networksAndPassword`. */
  allowedClients: readonly string[];
  /** The password is needed from its networks too. */
  networksAndPassword?: boolean | undefined;
  endpoints: readonly StaticEndpoint[];
}

/** An address that a node listens on for a plan, and that its traffic leaves from. */
export interface StaticEndpoint {
  address: string;
  port: number;
  /** Where customers speak TLS to the proxy itself, on nodes with a certificate. Absent: nowhere. */
  securePort?: number | undefined;
  /** Networks that need no password here, or, with `networksAndPassword`, need it. Absent: none. */
  networks?: readonly ListedNetwork[] | undefined;
}
