// Coupons: what orders show of them, and the operations of staff.
import { builder } from '../../../builder.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { Order } from '../../orders/graphql/order.ts';
import { COUPON_STATES, couponStateAt } from '../domain/coupon.ts';
import { type Coupon as CouponEntity, figuresOfCoupons } from '../entities/coupon.ts';
import { type UsedCode, codesOfCoupon } from '../entities/coupon-code.ts';
import { codeOfOrder } from '../entities/coupon-use.ts';
import { addCodes, endCoupon, findCoupon, listCoupons, openCoupon } from '../services/coupon-desk.ts';
import { COUPON_CODES_MAX } from '../../../../../schema/limits.ts';

interface OrderCouponShape {
  code: string;
  discountMinor: number;
  currency: string;
  periods: number | null;
}

export const OrderCoupon = builder.objectRef<OrderCouponShape>('OrderCoupon').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    discount: t.field({ type: Money, resolve: ({ discountMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    periods: t.exposeInt('periods', { nullable: true }),
  }),
});

builder.objectFields(Order, (t) => ({
  coupon: t.field({
    type: OrderCoupon,
    nullable: true,
    async resolve({ discountMinor, currency, ...order }, _, { em }) {
      const used = discountMinor > 0 ? await codeOfOrder(em, order) : undefined;
      return used ? { ...used, discountMinor, currency, periods: order.subscriptionId ? used.periods : 1 } : null;
    },
  }),
}));

const CouponState = builder.enumType('CouponState', { values: COUPON_STATES });

const CouponCode = builder.objectRef<UsedCode>('CouponCode').implement({
  fields: (t) => ({
    code: t.exposeString('code'),
    uses: t.exposeInt('uses'),
    maxUses: t.exposeInt('maxUses', { nullable: true }),
  }),
});

const Coupon = builder.objectRef<CouponEntity>('Coupon').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    name: t.exposeString('name'),
    state: t.field({ type: CouponState, resolve: (coupon, _, { clock }) => couponStateAt(coupon, clock.now()) }),
    basisPoints: t.exposeInt('basisPoints', { nullable: true }),
    amount: t.field({
      type: Money,
      nullable: true,
      resolve: ({ amountMinor, currency }) => (amountMinor == null ? null : { amountMinor, currency }),
    }),
    periods: t.exposeInt('periods', { nullable: true }),
    items: t.field({ type: ['String'], resolve: ({ items }) => items }),
    firstOrder: t.exposeBoolean('firstOrder'),
    minimum: t.field({ type: Money, resolve: ({ minMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    maxUses: t.exposeInt('maxUses', { nullable: true }),
    maxUsesOfAccount: t.exposeInt('maxUsesOfAccount', { nullable: true }),
    beginsAt: t.expose('beginsAt', { type: 'DateTime' }),
    endsAt: t.expose('endsAt', { type: 'DateTime', nullable: true }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
    createdBy: t.exposeID('createdBy'),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    uses: t.int({ resolve: async ({ id }, _, { em }) => (await figuresOfCoupons(em, [id])).get(id)?.uses ?? 0 }),
    given: t.field({
      type: Money,
      resolve: async ({ id, currency }, _, { em }) => ({
        amountMinor: (await figuresOfCoupons(em, [id])).get(id)?.givenMinor ?? 0,
        currency,
      }),
    }),
    codes: t.field({ type: [CouponCode], resolve: ({ id }, _, { em }) => codesOfCoupon(em, id, COUPON_CODES_MAX) }),
  }),
});

const SupportCouponInput = builder.inputType('SupportCouponInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    basisPoints: t.int(),
    amountMinor: t.int(),
    periods: t.int({ required: true, defaultValue: 1 }),
    items: t.stringList({ required: true, defaultValue: [] }),
    firstOrder: t.boolean({ required: true, defaultValue: false }),
    minMinor: t.int({ required: true, defaultValue: 0 }),
    maxUses: t.int(),
    maxUsesOfAccount: t.int({ required: true, defaultValue: 1 }),
    beginsAt: t.field({ type: 'DateTime' }),
    endsAt: t.field({ type: 'DateTime' }),
    codes: t.stringList({ required: true, defaultValue: [] }),
    generate: t.int({ required: true, defaultValue: 0 }),
    usesOfCode: t.int(),
  }),
});

builder.queryFields((t) => ({
  supportCoupons: t.field({
    type: [Coupon],
    authScopes: { staff: 'coupons' },
    args: { open: t.arg.boolean({ required: true, defaultValue: true }) },
    resolve: (_, { open }, ctx) => listCoupons(ctx, open),
  }),
  supportCoupon: t.field({
    type: Coupon,
    authScopes: { staff: 'coupons' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => findCoupon(ctx, id),
  }),
}));

builder.mutationFields((t) => ({
  supportCouponOpen: t.field({
    type: Coupon,
    authScopes: { staff: 'coupons' },
    args: { input: t.arg({ type: SupportCouponInput, required: true }) },
    resolve: (_, { input }, ctx) => openCoupon(ctx, input),
  }),
  supportCouponAddCodes: t.field({
    type: Coupon,
    authScopes: { staff: 'coupons' },
    args: {
      id: t.arg.id({ required: true }),
      codes: t.arg.stringList({ required: true, defaultValue: [] }),
      generate: t.arg.int({ required: true, defaultValue: 0 }),
      usesOfCode: t.arg.int(),
    },
    resolve: (_, { id, ...codes }, ctx) => addCodes(ctx, id, codes),
  }),
  supportCouponEnd: t.field({
    type: Coupon,
    authScopes: { staff: 'coupons' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => endCoupon(ctx, id),
  }),
}));
