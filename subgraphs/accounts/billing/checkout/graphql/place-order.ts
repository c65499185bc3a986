import { builder } from '../../../builder.ts';
import { Order, PaymentMethod } from '../../orders/graphql/order.ts';
import { placeOrder } from '../services/place-order.ts';

builder.mutationFields((t) => ({
  orderPlace: t.field({
    type: Order,
    authScopes: { session: 'pay' },
    args: {
      offer: t.arg.string({ required: true }),
      method: t.arg({ type: PaymentMethod, required: true }),
      idempotencyKey: t.arg.string({ required: true }),
      coupon: t.arg.string(),
    },
    resolve: (_, input, ctx) => placeOrder(ctx, input),
  }),
}));
