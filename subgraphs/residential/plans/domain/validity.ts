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

/** Whether an end has come. */
export const hasCome = (end: Date | null, now: Date): boolean => end !== null && end <= now;

/** Whether a plan's validity is over. Of a plan that was withdrawn before, nothing was left that could lapse. */
export const isLapsed = ({ validUntil, withdrawn, asOf }: Ending): boolean => !withdrawn && hasCome(validUntil, asOf);

/** How many milliseconds of its validity a plan has left at `now`; Infinity: it is valid for ever. */
export const validMsLeft = ({ validUntil }: Pick<Ending, 'validUntil'>, now: Date): number =>
  validUntil === null ? Infinity : Math.max(0, validUntil.getTime() - now.getTime());
