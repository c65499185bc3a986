// Texts that the operator publishes and customers agree to.

export const LEGAL_KINDS = ['TERMS', 'PRIVACY', 'IMPRINT'] as const;
export type LegalKind = (typeof LEGAL_KINDS)[number];

/** Whoever has an account agrees to these, once they are published; the imprint is there to be read. */
const AGREED: readonly LegalKind[] = ['TERMS', 'PRIVACY'];

/** A version of a text. */
export interface Accepted {
  kind: LegalKind;
  version: number;
}

interface Version extends Accepted {
  validFrom: Date;
}

/** Of each kind the version that holds: the latest of those that have begun. */
export function inForce<Text extends Version>(texts: readonly Text[], now: Date): Text[] {
  return LEGAL_KINDS.flatMap((kind) => {
    const begun = texts.filter((text) => text.kind === kind && text.validFrom <= now);
    const latest = begun.toSorted((one, other) => other.version - one.version)[0];
    return latest ? [latest] : [];
  });
}

/** What of that is not agreed to yet. */
export const notAgreed = <Text extends Version>(texts: readonly Text[], agreed: readonly Accepted[], now: Date): Text[] =>
  inForce(texts, now).filter(
    ({ kind, version }) => AGREED.includes(kind) && !agreed.some((one) => one.kind === kind && one.version >= version),
  );
