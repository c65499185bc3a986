// Rules of exchanges. Spec is silent: the reasons, and how many exchanges are free for an owner.
export const REPLACEMENT_REASONS = ['FAILING', 'BLOCKED', 'SLOW', 'WRONG_LOCATION', 'OTHER'] as const;
export type ReplacementReason = (typeof REPLACEMENT_REASONS)[number];

export const REPLACEMENT_ASKERS = ['OWNER', 'SUPPORT', 'PLATFORM'] as const;
export type ReplacementAsker = (typeof REPLACEMENT_ASKERS)[number];

/** The most addresses in one exchange; more need several. */
export const MAX_REPLACED = 100;

/** A fifth of a plan's addresses may be exchanged in a UTC month without a failed check, and at least one. */
export const allowedReplacements = (quantity: number): number => Math.max(1, Math.ceil(quantity / 5));

export const nextMonthStart = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1));

interface Place {
  id: string;
  location: string;
}

/** Decides which new address replaces which old one: as many as possible within the same place. Both lists have the same length. */
export function pairUp<Gone extends Place, Came extends Place>(gone: readonly Gone[], came: readonly Came[]): { gone: Gone; came: Came }[] {
  const left = [...came];
  const take = (index: number) => left.splice(index, 1)[0] as Came;
  const pairs = new Map<string, Came>();
  for (const { id, location } of gone) {
    const index = left.findIndex((each) => each.location === location);
    if (index >= 0) pairs.set(id, take(index));
  }
  return gone.map((each) => ({ gone: each, came: pairs.get(each.id) ?? take(0) }));
}
