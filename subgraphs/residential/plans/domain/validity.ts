// For how long a bought package is valid: a number of days from its delivery, or for ever. Nothing stops the clock, neither a daily limit nor a suspension.
import { DAY, after } from '#platform/clock.ts';

/** The facts by which a plan is over, whatever is left of it, and the moment of them. */
export interface Ending {
  validUntil: Date | null;
  withdrawn: boolean;
  asOf: Date;
}

/** The end of what is delivered at `at`; null: it has none. */
export const endOf = (at: Date, validDays: number | undefined): Date | null =>
  validDays === undefined ? null : after(at, validDays * DAY);

/** The end of a plan after a top-up: the later of its own and that of what was bought. Bytes that were left are valid until then too. */
export const extendedEnd = (end: Date | null, bought: Date | null): Date | null =>
  end === null || bought === null ? null : bought > end ? bought : end;

/** So many days before its end the owner of a plan with bytes left is told of it; ascending. */
export const END_MARKS = [1, 7] as const;
export type EndMark = (typeof END_MARKS)[number];

/** The end of the time in which a mark is reached: `mark` days from `now` on. */
export const endAt = (mark: EndMark, now: Date): Date => after(now, mark * DAY);

/** The lowest mark that an end has reached; null: none. Whoever buys for so few days has read it, and is not told at once. */
export const reachedEndMark = (end: Date | null, now: Date): EndMark | null =>
  END_MARKS.find((mark) => hasCome(end, endAt(mark, now))) ?? null;

/** Whether an end has come. */
export const hasCome = (end: Date | null, now: Date): boolean => end !== null && end <= now;

/** Whether a plan's validity is over. Of a plan that was withdrawn before, nothing was left that could lapse. */
export const isLapsed = ({ validUntil, withdrawn, asOf }: Ending): boolean => !withdrawn && hasCome(validUntil, asOf);

/** How many milliseconds of its validity a plan has left at `now`; Infinity: it is valid for ever. */
export const validMsLeft = ({ validUntil }: Pick<Ending, 'validUntil'>, now: Date): number =>
  validUntil === null ? Infinity : Math.max(0, validUntil.getTime() - now.getTime());
