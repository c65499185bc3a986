import { builder } from '../../../builder.ts';
import { CRYPTO_STATES, cryptoStateOf } from '../../payments/domain/crypto-payment.ts';
import { type CryptoCheckout, checkoutOfOrder } from '../../payments/entities/crypto-checkout.ts';
import type { Order as OrderEntity } from '../../orders/entities/order.ts';
import { methodOf } from '../../payments/providers/payment-methods.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { openOwnCheckout } from '../../orders/services/orders.ts';
import { Order } from '../../orders/graphql/order.ts';

const CryptoState = builder.enumType('CryptoState', { values: CRYPTO_STATES });

const CryptoPayment = builder.objectRef<{ order: OrderEntity; arrived: CryptoCheckout }>('CryptoPayment').implement({
  fields: (t) => ({
    state: t.field({ type: CryptoState, resolve: ({ order, arrived }) => cryptoStateOf(order, arrived) }),
    seen: t.field({ type: Money, resolve: ({ order: { currency }, arrived }) => ({ amountMinor: arrived.seenMinor, currency }) }),
    confirmed: t.field({ type: Money, resolve: ({ order: { currency }, arrived }) => ({ amountMinor: arrived.confirmedMinor, currency }) }),
    credited: t.field({ type: Money, resolve: ({ order: { currency }, arrived }) => ({ amountMinor: arrived.creditedMinor, currency }) }),
  }),
});

builder.objectField(Order, 'crypto', (t) =>
  t.field({
    type: CryptoPayment,
    nullable: true,
    async resolve(order, _, { em }) {
      const arrived = methodOf(order.method).parts ? await checkoutOfOrder(em, order.id) : undefined;
      return arrived ? { order, arrived } : null;
    },
  }),
);

builder.mutationField('orderOpenCheckout', (t) =>
  t.field({
    type: Order,
    authScopes: { session: 'pay' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => openOwnCheckout(ctx, id),
  }),
);
