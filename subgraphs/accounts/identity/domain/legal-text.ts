// Legal texts that the operator publishes and customers agree to.

export const LEGAL_KINDS = ['TERMS', 'PRIVACY', 'IMPRINT'] as const;
export type LegalKind = (typeof LEGAL_KINDS)[number];

/** Every account must agree to these once they are published; the imprint is only there to be read. */
const AGREED: readonly LegalKind[] = ['TERMS', 'PRIVACY'];

/** A version of a text. */
export interface Accepted {
  kind: LegalKind;
  version: number;
}

interface Version extends Accepted {
  validFrom: Date;
}

/** The version of each kind that is in force: the latest of those that have begun. */
export function inForce<Text extends Version>(texts: readonly Text[], now: Date): Text[] {
  return LEGAL_KINDS.flatMap((kind) => {
    const begun = texts.filter((text) => text.kind === kind && text.validFrom <= now);
    const latest = begun.toSorted((one, other) => other.version - one.version)[0];
    return latest ? [latest] : [];
  });
}

/** The texts in force that need consent and have not been agreed to yet. */
export const notAgreed = <Text extends Version>(texts: readonly Text[], agreed: readonly Accepted[], now: Date): Text[] =>
  inForce(texts, now).filter(
    ({ kind, version }) => AGREED.includes(kind) && !agreed.some((one) => one.kind === kind && one.version >= version),
  );
