// Limits how many WebSockets one address may open and hold, for all routes together; checked before a route sees the request.
import type { Duplex } from 'node:stream';
import { addressGroup } from '#platform/address-group.ts';
import { fail } from '#platform/errors.ts';
import { type BudgetTerms, type Ticks, createBudget } from '#platform/budget.ts';
import { Counts } from '#platform/counts.ts';

export interface UpgradeLimits {
  openPerAddress: number;
  connectsPerAddress: BudgetTerms;
}

export const UPGRADE_LIMITS: UpgradeLimits = {
  openPerAddress: 200,
  /** Every connect counts, admitted or not and however short. An office that loses its line reconnects all its connections at once; this allows that three times. */
  connectsPerAddress: { burst: 600, perSecond: 10 },
};

/** Counts an upgrade until its connection is closed. Throws `too_many_attempts`, `overloaded`. */
export type UpgradeGate = (address: string, socket: Duplex) => void;

export function createUpgradeGate(given: Partial<UpgradeLimits> = {}, now?: Ticks): UpgradeGate {
  const limits = { ...UPGRADE_LIMITS, ...given };
  const open = new Counts();
  const connects = createBudget(limits.connectsPerAddress, now);
  return (address, socket) => {
    const group = addressGroup(address);
    connects.take(group);
    if (open.of(group) >= limits.openPerAddress) throw fail('overloaded');
    open.add(group);
    socket.once('close', () => open.remove(group));
  };
}
