// Where a buyer is, by pieces that do not depend on each other (Implementing Regulation (EU) 282/2011, articles 24b and 24f).

/** BILLING: what the buyer says; CLIENT: the address that the order came from; MEANS: where the card was issued, as its processor says. */
export const EVIDENCE_KINDS = ['BILLING', 'CLIENT', 'MEANS'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Years after the one of the sale in which it must still be shown (the same regulation, article 63c). */
export const EVIDENCE_YEARS = 10;

/** Whether two pieces name different countries. One that names none says nothing. */
export const isContradicted = (pieces: readonly { country?: string | null }[]): boolean =>
  new Set(pieces.map(({ country }) => country).filter(Boolean)).size > 1;

/** Evidence of before is not kept any longer at `now`: it is older than the years after its own. */
export const evidenceKeptFrom = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear() - EVIDENCE_YEARS, 0, 1));
