// An order of PayPal's: what a payer agrees to, then what was captured of it and given back. Orders v2, Payments v2.
import { z } from 'zod';
import type { Language } from '#platform/language.ts';
import { NO_INVOICE } from '../../domain/no-invoice.ts';
import { type PayPalClient, isMissing } from './paypal-client.ts';
import { moneyShape } from './paypal-money.ts';

export const linksShape = z.array(z.object({ href: z.string(), rel: z.string() })).default([]);

export const captureShape = z.object({
  id: z.string().min(1),
  status: z.string(),
  amount: moneyShape,
  custom_id: z.string().optional(),
  supplementary_data: z.object({ related_ids: z.object({ order_id: z.string().optional() }).optional() }).optional(),
  links: linksShape,
});
export type Capture = z.output<typeof captureShape>;

export const refundShape = z.object({
  id: z.string().min(1),
  status: z.string(),
  status_details: z.object({ reason: z.string().optional() }).optional(),
  amount: moneyShape,
  custom_id: z.string().optional(),
  links: linksShape,
});
export type PayPalRefund = z.output<typeof refundShape>;

const orderShape = z.object({
  id: z.string().min(1),
  status: z.string(),
  update_time: z.string().optional(),
  purchase_units: z
    .array(
      z.object({
        reference_id: z.string().optional(),
        custom_id: z.string().optional(),
        amount: moneyShape,
        payments: z.object({ captures: z.array(captureShape).default([]), refunds: z.array(refundShape).default([]) }).optional(),
      }),
    )
    .min(1),
  payment_source: z
    .object({
      paypal: z
        .object({
          address: z.object({ country_code: z.string().optional() }).optional(),
          attributes: z.object({ vault: z.object({ id: z.string().optional(), status: z.string().optional() }).optional() }).optional(),
        })
        .optional(),
    })
    .nullish(),
  links: linksShape,
});
export type PayPalOrder = z.output<typeof orderShape>;

/** What an order is for; PayPal keeps it as the reference of its only purchase unit. */
export type Purpose = 'checkout' | 'renewal';
export const purposeOf = ({ purchase_units: [unit] }: PayPalOrder): Purpose => (unit?.reference_id === 'renewal' ? 'renewal' : 'checkout');

/** The most that PayPal takes of a description. */
const DESCRIPTION_MAX = 127;

/** What the payer reads there, and on what PayPal mails: what is paid, and that our invoice is another paper. */
export const descriptionOf = ({ title, language }: { title: string; language: Language }): string =>
  `${title.slice(0, DESCRIPTION_MAX - NO_INVOICE[language].length - 2)}. ${NO_INVOICE[language]}`;

export const toOrder = (answer: unknown): PayPalOrder => orderShape.parse(answer);

export const unitOf = ({ purchase_units: [unit] }: PayPalOrder) => unit as PayPalOrder['purchase_units'][number];
/** The last capture of an order: after one that was denied there may be a second. */
export const captureOf = (order: PayPalOrder): Capture | undefined => unitOf(order).payments?.captures.at(-1);

/** The id at the end of the address of a link; undefined: there is no such link. */
export const idAt = (links: z.output<typeof linksShape>, rel: string): string | undefined =>
  links
    .find((link) => link.rel === rel)
    ?.href.split(/[/=]/)
    .at(-1);

/** An order as PayPal has it; undefined: PayPal forgets an order after three hours when nobody was charged. */
export async function readOrder(client: PayPalClient, id: string): Promise<PayPalOrder | undefined> {
  try {
    return toOrder(await client.call('GET', `/v2/checkout/orders/${encodeURIComponent(id)}`));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export const readCapture = async (client: PayPalClient, id: string): Promise<Capture> =>
  captureShape.parse(await client.call('GET', `/v2/payments/captures/${encodeURIComponent(id)}`));

/** The order that a capture belongs to. */
export async function orderOfCapture(client: PayPalClient, { id, links, supplementary_data: data }: Capture): Promise<PayPalOrder> {
  const orderId = data?.related_ids?.order_id ?? idAt(links, 'up');
  const order = orderId === undefined ? undefined : await readOrder(client, orderId);
  if (!order) throw new Error(`capture ${id} belongs to no order`);
  return order;
}
