// Evidence of where a buyer is, by pieces that are independent of each other (Implementing Regulation (EU) 282/2011, articles 24b and 24f).

/**
 * BILLING: the country that the buyer states; CLIENT: the address that the order came from; MEANS: the country that issued the card, as its processor reports.
 */
export const EVIDENCE_KINDS = ['BILLING', 'CLIENT', 'MEANS'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** For how many years after the year of the sale evidence must be kept (the same regulation, article 63c). */
export const EVIDENCE_YEARS = 10;

/** Whether two pieces name different countries. A piece without a country is ignored. */
export const isContradicted = (pieces: readonly { country?: string | null }[]): boolean =>
  new Set(pieces.map(({ country }) => country).filter(Boolean)).size > 1;

/** The moment from which evidence is still kept at `now`; older evidence is deleted. */
export const evidenceKeptFrom = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear() - EVIDENCE_YEARS, 0, 1));
