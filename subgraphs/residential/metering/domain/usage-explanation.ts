// "Where did my GB go?": what grew against the span before, the largest growth first.

/**
 * What an explanation looks at, in the order in which equal growth is shown. UNANSWERED is what was sent to a host that sent nothing back, RETRIED
 * what a session sent so more than once.
 */
export const EXPLAINING = ['UNANSWERED', 'RETRIED', 'CLIENT', 'HOST', 'SESSION', 'COUNTRY'] as const;
export type ExplainingDimension = (typeof EXPLAINING)[number];

export interface Growth {
  by: ExplainingDimension;
  value: string;
  bytes: bigint;
  bytesBefore: bigint;
}

export interface UsageFinding extends Growth {
  /** Not seen in the span before. */
  isNew: boolean;
  /** Above zero: what fell explains no use. */
  addedBytes: bigint;
}

export function rankFindings(growths: readonly Growth[], max: number): UsageFinding[] {
  return growths
    .map((growth) => ({ ...growth, isNew: growth.bytesBefore === 0n, addedBytes: growth.bytes - growth.bytesBefore }))
    .filter(({ addedBytes }) => addedBytes > 0n)
    .sort(
      (a, b) =>
        Number(b.addedBytes > a.addedBytes) - Number(b.addedBytes < a.addedBytes) ||
        EXPLAINING.indexOf(a.by) - EXPLAINING.indexOf(b.by) ||
        (a.value < b.value ? -1 : 1),
    )
    .slice(0, max);
}
