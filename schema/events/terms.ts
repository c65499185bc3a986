import { z } from 'zod';

export interface EventTerms {
  /** Who or what makes the fact true, in one sentence. */
  when: string;
  /** What the event carries as JSON, beside its type, time, account and subject. */
  data: z.ZodObject;
}

/** Travels as an ISO string, is read as a Date. */
export const instant = z.iso.datetime().transform((text) => new Date(text));

/** The type, the account and the subject say it all. */
export const NOTHING = z.object({});
