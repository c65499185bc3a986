// The part `fulfil` of our signed offers, which tells what to deliver. Every event of the order has it.
import { z } from 'zod';
import { STATIC_PRODUCT_IDS } from '../../products/domain/static-product.ts';

const quantity = z.number().int().min(1);

export const fulfilment = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('plan'),
    productId: z.enum(STATIC_PRODUCT_IDS),
    quantity,
    /** Cents per address and month. */
    unitMinor: z.number().int().min(0),
    /** Made by sales: it is no price of the catalogue. */
    custom: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('add'), planId: z.string(), quantity }),
  z.object({ kind: z.literal('remove'), planId: z.string(), addressIds: z.array(z.string()).min(1) }),
]);

export type Fulfilment = z.infer<typeof fulfilment>;
