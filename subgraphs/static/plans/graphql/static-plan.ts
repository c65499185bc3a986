import { verdictsFor } from '#platform/action-verdict.ts';
import { declareAvailableAction } from '#platform/available-action.ts';
import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import { mayReach, memberOf, secretFor } from '#platform/identity.ts';
import { unseal } from '#platform/sealing.ts';
import { builder } from '../../builder.ts';
import { availablePlanActions, permissionFor } from '../domain/plan-actions.ts';
import { plansBeingChanged } from '../entities/addition.ts';
import { offsetOf, pageCountOf } from '#platform/numbered-page.ts';
import { searchWords } from '#platform/search-words.ts';
import { STATIC_PROTOCOLS, type StaticProtocol as StaticProtocolName, socketsFor } from '../domain/line-text.ts';
import { STATIC_PLAN_STATUSES } from '../domain/static-plan-lifecycle.ts';
import { productIdsOf, staticProduct } from '../../products/domain/static-product.ts';
import { socketsOfPlans } from '../../inventory/entities/address.ts';
import { outagesOf } from '../../health/entities/outage.ts';
import { failingOfPlans, addressesOfPlans, locationsOfPlans } from '../entities/plan-address.ts';
import { type StaticPlanRow, pageOfAccount, plansByIds, plansOfAccount } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';
import { watchPlans } from '../services/watch-plans.ts';
import { Account, BillingSubscription } from './account.ts';
import { StaticLine, StaticOutage } from './static-line.ts';
import { StaticKind } from '../../products/graphql/static-product.ts';

const AvailableAction = declareAvailableAction(builder);
const StaticProtocol = builder.enumType('StaticProtocol', { values: STATIC_PROTOCOLS });
const StaticPlanStatus = builder.enumType('StaticPlanStatus', { values: STATIC_PLAN_STATUSES });

interface ProxiesArgs {
  protocol: StaticProtocolName;
}

/** Whether the viewer may read the plan's lines, which contain the password; support may not. */
const owns = ({ viewer }: PlansContext, { id, accountId }: StaticPlanRow): boolean =>
  viewer.kind === 'system' ||
  ((viewer.kind === 'session' || viewer.kind === 'key') && viewer.accountId === accountId && mayReach(viewer, id));

/** Plans of the viewer, in the order of the ids. */
async function loadPlans(ids: string[], ctx: PlansContext): Promise<(StaticPlanRow | Error)[]> {
  const { em } = ctx;
  const mine = (row: StaticPlanRow) => owns(ctx, row);
  const possible = ids.filter((id) => isId('isp', id) || isId('dc', id));
  const rows = new Map((await plansByIds(em, possible)).filter(mine).map((row) => [row.id, row]));
  return ids.map((id) => rows.get(id) ?? fail('plan_not_found'));
}

export const StaticPlan = builder.loadableObjectRef<StaticPlanRow, string>('StaticPlan', { load: loadPlans });

export const byPlan = <Row extends { planId: string }>(rows: readonly Row[]) => Map.groupBy(rows, ({ planId }) => planId);
export const idsOf = (plans: readonly StaticPlanRow[]) => plans.map(({ id }) => id);

async function loadProxies(plans: StaticPlanRow[], ctx: PlansContext, { protocol }: ProxiesArgs): Promise<(string[] | Error)[]> {
  const sockets = await socketsOfPlans(ctx.em, idsOf(plans));
  const written = socketsFor(protocol, ctx.providers.secure);
  return plans.map((plan) => {
    if (!owns(ctx, plan)) return fail('forbidden');
    return toLines(plan, (sockets.get(plan.id) ?? []).map(written), ctx);
  });
}

async function loadLines(plans: StaticPlanRow[], ctx: PlansContext) {
  const lines = byPlan(await addressesOfPlans(ctx.em, idsOf(plans)));
  return plans.map((plan) => {
    if (!owns(ctx, plan)) return fail('forbidden');
    const credentials = `${plan.username}:${passwordOf(plan, ctx)}`;
    return (lines.get(plan.id) ?? []).map((line) => ({ ...line, credentials }));
  });
}

StaticPlan.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    account: t.field({ type: Account, resolve: ({ accountId }) => ({ id: accountId }) }),
    kind: t.field({
      type: StaticKind,
      resolve: ({ productId }, _args, { providers }) => staticProduct(providers.products, productId).kind,
    }),
    productId: t.exposeID('productId'),
    productName: t.string({ resolve: ({ productId }, _args, { providers }) => staticProduct(providers.products, productId).name }),
    carrier: t.string({
      nullable: true,
      resolve: ({ productId }, _args, { providers }) => staticProduct(providers.products, productId).carrier,
    }),
    status: t.field({ type: StaticPlanStatus, resolve: ({ status }) => status }),
    quantity: t.exposeInt('quantity'),
    proxies: t.loadableList({
      type: 'String',
      args: { protocol: t.arg({ type: StaticProtocol, required: true, defaultValue: 'HTTP' }) },
      byPath: true,
      resolve: (plan) => plan,
      load: loadProxies,
    }),
    lines: t.loadableList({ type: StaticLine, resolve: (plan) => plan, load: loadLines }),
    locations: t.loadableList({
      type: 'String',
      resolve: ({ id }) => id,
      async load(ids: string[], { em }) {
        const locations = await locationsOfPlans(em, ids);
        return ids.map((id) => locations.get(id) ?? []);
      },
    }),
    failing: t.loadable({
      type: 'Int',
      resolve: ({ id }) => id,
      async load(ids: string[], { em }) {
        const failing = await failingOfPlans(em, ids);
        return ids.map((id) => failing.get(id) ?? 0);
      },
    }),
    username: t.exposeString('username'),
    password: t.string({
      resolve(plan, _args, ctx) {
        if (!owns(ctx, plan)) throw fail('forbidden');
        return passwordOf(plan, ctx);
      },
    }),
    allowedAddresses: t.exposeStringList('allowedAddresses'),
    autoReplace: t.exposeBoolean('autoReplace'),
    outages: t.loadableList({
      type: StaticOutage,
      resolve: ({ id }) => id,
      async load(ids: string[], { em }) {
        const outages = byPlan(await outagesOf(em, ids));
        return ids.map((id) => outages.get(id) ?? []);
      },
    }),
    deliverBy: t.expose('deliverBy', { type: 'DateTime' }),
    availableActions: t.loadableList({
      type: AvailableAction,
      resolve: (plan) => plan,
      async load(plans: StaticPlanRow[], { em, clock, viewer }) {
        const changing = await plansBeingChanged(em, idsOf(plans));
        const verdicts = (plan: StaticPlanRow) => availablePlanActions({ ...plan, beingChanged: changing.has(plan.id) }, clock.now());
        return plans.map((plan) => verdictsFor(viewer, verdicts(plan), permissionFor));
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

const passwordOf = ({ id, passwordSealed }: StaticPlanRow, { viewer, providers }: PlansContext): string =>
  secretFor(viewer, () => unseal(Buffer.from(passwordSealed), providers.sealing, id));

/** Spec, Static plan: IP:PORT:USER:PASS. */
function toLines(plan: StaticPlanRow, sockets: string[], ctx: PlansContext): string[] {
  if (sockets.length === 0) return [];
  const credentials = `:${plan.username}:${passwordOf(plan, ctx)}`;
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
    nullable: true,
    type: StaticPlanPage,
    authScopes: { account: 'read' },
    args: {
      kind: t.arg({ type: StaticKind }),
      page: t.arg.int({ required: true, defaultValue: 1 }),
      limit: t.arg.int({ required: true, defaultValue: 25 }),
      productId: t.arg.id(),
      search: t.arg.string(),
    },
    async resolve(_root, { kind, page, limit, productId, search }, ctx) {
      const productIds = productIdsOf(kind, productId);
      const { rows: items, total } = await pageOfAccount(ctx.em, {
        accountId: accountOf(ctx),
        productIds,
        offset: offsetOf({ page, limit }),
        limit,
        search: searchWords(search),
        only: memberOf(ctx.viewer)?.only,
      });
      return { items, total, page, pageCount: pageCountOf(total, limit) };
    },
  }),
  staticSubscriptions: t.field({
    nullable: true,
    type: [StaticPlan],
    authScopes: { account: 'read' },
    resolve: async (_root, _args, ctx) => (await plansOfAccount(ctx.em, accountOf(ctx))).filter(({ id }) => mayReach(ctx.viewer, id)),
  }),
  staticPlan: t.field({
    nullable: true,
    type: StaticPlan,
    authScopes: { account: 'read' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_root, { id }) => id,
  }),
}));

builder.subscriptionField('staticPlanChanged', (t) =>
  t.field({
    type: StaticPlan,
    authScopes: { account: 'read' },
    subscribe: (_root, _args, ctx) => watchPlans(ctx),
    async resolve(id, _args, { em }) {
      const [plan] = await plansByIds(em, [id as string]);
      if (!plan) throw fail('plan_not_found');
      return plan;
    },
  }),
);
