// The input of the endpoints, nested fields too; everything else is refused, also what the sandbox cannot do.
import { z } from 'zod';
import { toCents } from './money.ts';
import { CURRENCY, PAYMENT_METHOD } from './store.ts';

/** A decimal as text or as a number, kept as it was sent. */
const amount = z.union([z.string(), z.number()]).transform((value, context) => {
  const text = String(value);
  const cents = toCents(text);
  if (cents !== null && cents > 0) return { text, cents };
  context.addIssue({ code: 'custom', message: 'The amount should be more than 0, with at most two decimals.' });
  return z.NEVER;
});
const minutes = z.number().min(0).max(525_600).nullish();
const paymentMethodId = z.literal(PAYMENT_METHOD, `The sandbox's store has only ${PAYMENT_METHOD}`);

export const createInvoiceInput = z.strictObject({
  amount,
  currency: z.literal(CURRENCY, `The sandbox's store counts in ${CURRENCY}`).nullish(),
  additionalSearchTerms: z.array(z.string()).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  checkout: z
    .strictObject({
      speedPolicy: z.enum(['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed']).nullish(),
      paymentMethods: z.array(paymentMethodId).min(1).nullish(),
      defaultPaymentMethod: paymentMethodId.nullish(),
      lazyPaymentMethods: z.literal(false, 'The sandbox does not support lazy payment methods.').nullish(),
      expirationMinutes: minutes,
      monitoringMinutes: minutes,
      paymentTolerance: z.number().min(0).max(100).nullish(),
      redirectURL: z.url({ protocol: /^https?$/ }).nullish(),
      redirectAutomatically: z.boolean().nullish(),
      defaultLanguage: z.string().nullish(),
    })
    .nullish(),
  receipt: z.strictObject({ enabled: z.boolean().nullish(), showQR: z.boolean().nullish(), showPayments: z.boolean().nullish() }).nullish(),
});

export const updateInvoiceInput = z.strictObject({ metadata: z.record(z.string(), z.unknown()).nullish() });
export const markInput = z.strictObject({ status: z.enum(['Settled', 'Invalid']) });

const many = <Item extends z.ZodType>(item: Item) => z.array(item).min(1).optional();
const whole = z.coerce.number().int().min(0);
const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const one = <Item extends z.ZodType>(item: Item) =>
  z
    .tuple([item])
    .transform(([value]) => value as z.output<Item>)
    .optional();

/** Every value of a query is a list, since a name may occur several times. */
export const listInput = z.strictObject({
  orderId: many(z.string()),
  status: many(z.enum(['New', 'Processing', 'Expired', 'Invalid', 'Settled'])),
  textSearch: one(z.string()),
  startDate: one(whole),
  endDate: one(whole),
  skip: one(whole),
  take: one(whole),
  includePaymentMethods: one(flag),
});
export const oneInvoiceInput = z.strictObject({ includePaymentMethods: one(flag) });
export const paymentMethodsInput = z.strictObject({ onlyAccountedPayments: one(flag), includeSensitive: one(flag) });
export const deliveriesInput = z.strictObject({ count: one(whole) });
