// What a signed offer of ours says about its delivery; comes back with every event of the order.
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
  }),
  z.object({ kind: z.literal('add'), planId: z.string(), quantity }),
  z.object({ kind: z.literal('remove'), planId: z.string(), addressIds: z.array(z.string()).min(1) }),
]);

export type Fulfilment = z.infer<typeof fulfilment>;
