import { accountOf } from '#shared/context.ts';
import { fail } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import { unseal } from '#shared/secrets.ts';
import { type StaticContext, builder } from '../builder.ts';
import { offsetOf, pageCountOf } from '../domain/static-page.ts';
import { STATIC_PLAN_STATUSES } from '../domain/static-plan-lifecycle.ts';
import { productIdsOf, staticProduct } from '../domain/static-product.ts';
import { socketsOfPlans } from '../entities/address.ts';
import { type StaticPlanRow, pageOfAccount, plansByIds, plansOfAccount } from '../entities/static-plan.ts';
import { Account, BillingSubscription } from './account.ts';

const StaticKind = builder.enumType('StaticKind', { values: ['ISP', 'DATACENTER'] as const });
const StaticPlanStatus = builder.enumType('StaticPlanStatus', { values: STATIC_PLAN_STATUSES });

/** Plans the viewer may see, in the order of the ids. Its lines carry the password, so that staff sees none of it. */
async function loadPlans(ids: string[], { em, viewer }: StaticContext): Promise<(StaticPlanRow | Error)[]> {
  const mine = (row: StaticPlanRow) =>
    viewer.kind === 'system' || ((viewer.kind === 'session' || viewer.kind === 'key') && viewer.accountId === row.accountId);
  const possible = ids.filter((id) => isId('isp', id) || isId('dc', id));
  const rows = new Map((await plansByIds(em, possible)).filter(mine).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? fail('plan_not_found'));
}

const StaticPlan = builder.loadableObjectRef<StaticPlanRow, string>('StaticPlan', { load: loadPlans });

StaticPlan.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    account: t.field({ type: Account, resolve: ({ accountId }) => ({ id: accountId }) }),
    kind: t.field({ type: StaticKind, resolve: ({ productId }) => staticProduct(productId).kind }),
    productId: t.exposeID('productId'),
    productName: t.string({ resolve: ({ productId }) => staticProduct(productId).name }),
    carrier: t.string({ nullable: true, resolve: ({ productId }) => staticProduct(productId).carrier }),
    status: t.field({ type: StaticPlanStatus, resolve: ({ status }) => status }),
    quantity: t.exposeInt('quantity'),
    proxies: t.loadableList({
      type: 'String',
      resolve: (plan) => plan,
      async load(plans: StaticPlanRow[], { em, providers }) {
        const sockets = await socketsOfPlans(
          em,
          plans.map(({ id }) => id),
        );
        return plans.map((plan) => toLines(plan, sockets.get(plan.id) ?? [], providers.sealing));
      },
    }),
    billing: t.field({ type: BillingSubscription, resolve: ({ subscriptionId }) => ({ id: subscriptionId }) }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
  }),
});

builder.asEntity(StaticPlan, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: ({ id }, ctx) => StaticPlan.getDataloader(ctx).load(id),
});

/** Spec, Static plan: IP:PORT:USER:PASS. */
function toLines({ id, username, passwordSealed }: StaticPlanRow, sockets: string[], sealing: Buffer): string[] {
  if (sockets.length === 0) return [];
  const credentials = `:${username}:${unseal(Buffer.from(passwordSealed), sealing, id)}`;
  return sockets.map((socket) => socket + credentials);
}

const StaticPlanPage = builder
  .objectRef<{ items: StaticPlanRow[]; total: number; page: number; pageCount: number }>('StaticPlanPage')
  .implement({
    fields: (t) => ({
      items: t.field({ type: [StaticPlan], resolve: ({ items }) => items }),
      total: t.exposeInt('total'),
      page: t.exposeInt('page'),
      pageCount: t.exposeInt('pageCount'),
    }),
  });

builder.queryFields((t) => ({
  staticPlans: t.field({
    type: StaticPlanPage,
    authScopes: { account: 'read' },
    args: {
      kind: t.arg({ type: StaticKind }),
      page: t.arg.int({ required: true, defaultValue: 1 }),
      limit: t.arg.int({ required: true, defaultValue: 25 }),
      productId: t.arg.id(),
    },
    async resolve(_root, { kind, page, limit, productId }, ctx) {
      const productIds = productIdsOf(kind, productId);
      const { rows: items, total } = await pageOfAccount(ctx.em, {
        accountId: accountOf(ctx),
        productIds,
        offset: offsetOf({ page, limit }),
        limit,
      });
      return { items, total, page, pageCount: pageCountOf(total, limit) };
    },
  }),
  staticSubscriptions: t.field({
    type: [StaticPlan],
    authScopes: { account: 'read' },
    resolve: (_root, _args, ctx) => plansOfAccount(ctx.em, accountOf(ctx)),
  }),
  staticPlan: t.field({
    type: StaticPlan,
    authScopes: { account: 'read' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }) => id,
  }),
}));
