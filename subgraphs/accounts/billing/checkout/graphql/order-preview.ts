import { SECOND } from '#platform/clock.ts';
import { signOffer, sumOfLines, taxOf, toOffer } from '#commerce/offers.ts';
import { builder } from '../../../builder.ts';
import { type OrderPreview as Preview, previewOrder } from '../services/preview-order.ts';
import { Money, Offer } from '../../ledger/graphql/money.ts';
import { methodOf } from '../../payments/providers/payment-methods.ts';
import { OrderCoupon } from '../../coupons/graphql/coupon.ts';
import { discountOf } from '../../coupons/domain/coupon.ts';
import { PaymentMethod } from '../../orders/graphql/order.ts';

const PaymentChoice = builder.objectRef<Preview['methods'][number]>('PaymentChoice').implement({
  fields: (t) => ({
    method: t.expose('method', { type: PaymentMethod }),
    payWithinSeconds: t.int({ resolve: ({ method }) => methodOf(method).validMs / SECOND }),
    allowed: t.boolean({ resolve: ({ refused }) => refused === undefined }),
    reason: t.string({ nullable: true, resolve: ({ refused }) => refused?.message ?? null }),
    reasonCode: t.string({ nullable: true, resolve: ({ refused }) => refused?.meta.reason?.code ?? null }),
    params: t.field({ type: 'Params', nullable: true, resolve: ({ refused }) => refused?.meta.reason?.params ?? null }),
  }),
});

/** The price of a renewal with the coupon and today's tax; null: the coupon gives nothing off renewals. */
function renewalWithCoupon({ coupon, terms: { subscription, currency, taxBasisPoints } }: Preview) {
  if (!coupon || !subscription || coupon.periods === 1) return null;
  const { basisPoints = null, amountMinor: offMinor = null } = coupon.coupon;
  const listMinor = sumOfLines(subscription.lines);
  const leftMinor = listMinor - discountOf({ basisPoints, amountMinor: offMinor, currency }, listMinor);
  return { amountMinor: leftMinor + taxOf(leftMinor, taxBasisPoints), currency };
}

const OrderPreview = builder.objectRef<Preview>('OrderPreview').implement({
  fields: (t) => ({
    offer: t.field({
      type: Offer,
      resolve: ({ offered, terms, grantsMinor: amountMinor }, _, { providers }) => ({
        ...toOffer(terms, providers.secrets.offers),
        // A coupon is taken when the offer is ordered, not before.
        token: signOffer(offered, providers.secrets.offers),
        credit: amountMinor > 0 ? { amountMinor, currency: terms.currency } : null,
      }),
    }),
    credit: t.field({ type: Money, resolve: ({ terms: { currency }, creditMinor: amountMinor }) => ({ amountMinor, currency }) }),
    toPay: t.field({ type: Money, resolve: ({ terms: { currency }, toPayMinor: amountMinor }) => ({ amountMinor, currency }) }),
    coupon: t.field({
      type: OrderCoupon,
      nullable: true,
      resolve: ({ coupon, terms: { currency } }) => (coupon ? { ...coupon, currency } : null),
    }),
    couponRenewal: t.field({ type: Money, nullable: true, resolve: renewalWithCoupon }),
    countryRequired: t.exposeBoolean('countryRequired'),
    reverseCharge: t.exposeBoolean('reverseCharge'),
    methods: t.expose('methods', { type: [PaymentChoice] }),
  }),
});

builder.queryField('orderPreview', (t) =>
  t.field({
    type: OrderPreview,
    authScopes: { session: 'pay' },
    args: { offer: t.arg.string({ required: true }), coupon: t.arg.string() },
    resolve: (_, { offer, coupon }, ctx) => previewOrder(ctx, offer, coupon),
  }),
);
