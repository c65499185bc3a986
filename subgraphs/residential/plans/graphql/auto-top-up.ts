import { CURRENCY } from '#commerce/money.ts';
import { builder } from '../../builder.ts';
import { AUTO_TOP_UP_ENDS, type AutoTopUp, spentIn } from '../domain/auto-top-up.ts';
import { autoTopUpOf } from '../entities/auto-top-up.ts';
import { topUpNow } from '../services/auto-top-up.ts';
import { setAutoTopUp } from '../services/set-auto-top-up.ts';
import { ResidentialPlan } from './residential-plan.ts';
import { Money } from './residential-product.ts';

const AutoTopUpEnd = builder.enumType('AutoTopUpEnd', { values: AUTO_TOP_UP_ENDS });

const money = (amountMinor: number) => ({ amountMinor, currency: CURRENCY });

const AutoTopUpType = builder.objectRef<AutoTopUp>('AutoTopUp').implement({
  fields: (t) => ({
    enabled: t.exposeBoolean('enabled'),
    off: t.expose('off', { type: AutoTopUpEnd, nullable: true }),
    leftBytes: t.expose('leftBytes', { type: 'Bytes' }),
    gigabytes: t.exposeInt('gigabytes'),
    ceiling: t.field({ type: Money, resolve: ({ ceilingMinor }) => money(ceilingMinor) }),
    spent: t.field({ type: Money, resolve: (rule, _args, { clock }) => money(spentIn(rule, clock.now())) }),
    pauseMinutes: t.exposeInt('pauseMinutes'),
    isBuying: t.boolean({ resolve: ({ request }) => request !== null }),
    nextAt: t.expose('nextAt', { type: 'DateTime', nullable: true }),
  }),
});

builder.objectField(ResidentialPlan, 'autoTopUp', (t) =>
  t.field({
    type: AutoTopUpType,
    nullable: true,
    resolve: async ({ id }, _args, { em }) => (await autoTopUpOf(em, id)) ?? null,
  }),
);

const AutoTopUpInput = builder.inputType('AutoTopUpInput', {
  fields: (t) => ({
    leftBytes: t.field({ type: 'Bytes', required: true }),
    gigabytes: t.int({ required: true }),
    ceilingMinor: t.int({ required: true }),
    pauseMinutes: t.int({ required: true, defaultValue: 60 }),
  }),
});

builder.mutationFields((t) => ({
  residentialPlanSetAutoTopUp: t.field({
    type: ResidentialPlan,
    authScopes: { key: 'plans', session: 'pay' },
    args: { id: t.arg.id({ required: true }), input: t.arg({ type: AutoTopUpInput }) },
    resolve: (_root, { id, input }, ctx) => setAutoTopUp(ctx, id, input ?? null),
  }),
  residentialPlanTopUp: t.field({
    type: ResidentialPlan,
    authScopes: { key: 'plans', session: 'pay' },
    args: { id: t.arg.id({ required: true }), gigabytes: t.arg.int({ required: true }) },
    resolve: (_root, { id, gigabytes }, ctx) => topUpNow(ctx, id, gigabytes),
  }),
}));
