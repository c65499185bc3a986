// "Where did my GB go?": what grew compared with the span before, the largest growth first.

/**
 * The kinds of findings; of equal growth the earlier kind comes first. UNANSWERED is bytes sent to a host that sent nothing back, RETRIED such bytes of a
 * session that tried a host more than once.
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
  /** There were no such bytes in the span before. */
  isNew: boolean;
  /** Above zero: only growth explains use. */
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
