// A part of a whole, as figures say it.
import { divideHalfUp } from '#commerce/money.ts';

/** In hundredths of a percent, rounded half up; null: the whole is nothing. */
export const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Number(divideHalfUp(BigInt(part) * 10_000n, BigInt(whole)));
