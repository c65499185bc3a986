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

/** Who used an address, as sellers answer `abuse_case.use_asked`. */
export const useFound = z.object({
  caseId: z.string(),
  title: z.string(),
  /** In the order of time; from where, to where, how much, in plain words. */
  lines: z.array(z.object({ at: z.string(), text: z.string() })),
});

/** Of a deed of an owner: the account of the member of the team who did it; absent: the person whom the account belongs to, or one of its keys. */
export const byMember = { member: z.string().optional() };

/** Of a deed that is the owner's otherwise: absent, the owner did it. */
export const bySupport = {
  ...byMember,
  /** What it was done to, in words. */
  title: z.string().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
};

/** What an order bought is there. */
export const ofOrder = z.object({ orderId: z.string() });

/** What an order bought cannot be delivered. */
export const failedOrder = ofOrder.extend({ reason: z.string() });

/** A seller's answer to an order with `hold`: so long its stock waits for the payment ... */
export const stockHeld = ofOrder.extend({ until: instant });

/** Beside the English sentence of a reason: its code, and what the sentence names (`schema/codes/catalogue.ts`). */
export const coded = { reasonCode: z.string().optional(), params: z.record(z.string(), z.union([z.string(), z.number()])).optional() };

/** ... or why it cannot. */
export const stockRefused = ofOrder.extend({ code: z.enum(['out_of_stock', 'hold_too_large']), reason: z.string(), ...coded });
