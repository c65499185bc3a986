// What is kept of the hosts that were reached, by the operator's choice.
import { createHash } from 'node:crypto';
import { type SigningKeys, macOf } from '#platform/mac.ts';

export const HOSTS_KEPT = ['plain', 'hashed', 'off'] as const;
export type HostsKept = (typeof HOSTS_KEPT)[number];

export interface HostForms {
  /** The form in the ledger. Null: not kept. */
  entered(host: string | null): string | null;
  /**
   * The form while a lease counts, where different hosts must differ, and the one that another choice would have given. It depends on no secret: counters that
   * were found no more, after a new secret or another choice, would be entered again. Empty, the rest of a lease, stays empty.
   */
  counted(leaseId: string, host: string): string;
  countedOtherwise(leaseId: string, host: string): string;
}

/** 96 bits, so that no two hosts of a ledger share a hash. */
const HASH_LENGTH = 16;
const short = (hash: string): string => `~${hash.slice(0, HASH_LENGTH)}`;

const hashOfLease = (leaseId: string, host: string): string =>
  host && short(createHash('sha256').update(`${leaseId} ${host}`).digest('base64url'));
const plain = (_: string, host: string): string => host;

/** `keys`: with the database alone nobody can tell which host a hash of the ledger is of. The same host has the same hash until the master secret changes. */
export function hostForms(kept: HostsKept, keys: SigningKeys): HostForms {
  if (kept === 'plain') return { entered: (host) => host, counted: plain, countedOtherwise: hashOfLease };
  const entered = kept === 'off' ? () => null : (host: string | null) => host && short(macOf(keys, `host ${host}`));
  return { entered, counted: hashOfLease, countedOtherwise: plain };
}
