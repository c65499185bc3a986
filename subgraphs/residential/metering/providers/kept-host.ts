// The forms in which hosts that were reached are kept.
import { createHash } from 'node:crypto';
import { type SigningKeys, macOf } from '#platform/mac.ts';
import { type HostsKept, keptOf } from '../../plans/domain/hosts-kept.ts';

export interface HostForms {
  /** The form in the ledger. Null: not kept. */
  entered(host: string | null): string | null;
  /** The same of a host that was kept before, perhaps by another choice: what is hashed stays as it is, or is left out. */
  enteredAgain(host: string | null): string | null;
  /**
   * The form while a lease counts, where different hosts must differ, and the one that another choice would have given. It depends on no secret: counters that
   * were found no more, after a new secret or another choice, would be entered again. Empty, the rest of a lease, stays empty.
   */
  counted(leaseId: string, host: string): string;
  countedOtherwise(leaseId: string, host: string): string;
}

export interface KeptHosts {
  /** How the operator keeps them: as all accounts that have not chosen. */
  operators: HostsKept;
  /** The forms for an account, by its choice; null: it has not chosen. */
  of(chosen: HostsKept | null): HostForms;
}

/** 96 bits, so that no two hosts of a ledger share a hash. */
const HASH_LENGTH = 16;
const short = (hash: string): string => `~${hash.slice(0, HASH_LENGTH)}`;
const HASH = new RegExp(`^~[\\w-]{${HASH_LENGTH}}$`);

const hashOfLease = (leaseId: string, host: string): string =>
  host && short(createHash('sha256').update(`${leaseId} ${host}`).digest('base64url'));
const plain = (_: string, host: string): string => host;

/** `keys`: with the database alone nobody can tell which host a hash of the ledger is of. The same host has the same hash until the master secret changes. */
export function keptHosts(operators: HostsKept, keys: SigningKeys): KeptHosts {
  const asTheyAre = (host: string | null) => host;
  const notAtAll = () => null;
  const hashed = (host: string | null) => host && short(macOf(keys, `host ${host}`));
  const unread = { counted: hashOfLease, countedOtherwise: plain };
  const forms: Record<HostsKept, HostForms> = {
    plain: { entered: asTheyAre, enteredAgain: asTheyAre, counted: plain, countedOtherwise: hashOfLease },
    hashed: { entered: hashed, enteredAgain: (host) => (host && HASH.test(host) ? host : hashed(host)), ...unread },
    off: { entered: notAtAll, enteredAgain: notAtAll, ...unread },
  };
  return { operators, of: (chosen) => forms[keptOf(chosen, operators)] };
}
