import { builder } from '../builder.ts';
import { type DedicatedPlan as DedicatedPlanShape, findDedicatedPlan } from '../domain/dedicated-plan.ts';
import { DEDICATED_STATUSES, type DedicatedStatus } from '../domain/server-lifecycle.ts';
import type { ServerRow } from '../entities/server.ts';
import { Account, BillingSubscription } from './account.ts';
import { DedicatedPlan } from './dedicated-plan.ts';
import { Server, loadServers } from './server.ts';

const DedicatedServerStatus = builder.enumType('DedicatedServerStatus', { values: DEDICATED_STATUSES });

const DedicatedServer = builder.loadableObjectRef<ServerRow, string>('DedicatedServer', {
  load: (ids, ctx) => loadServers(ids, ctx, 'DEDICATED'),
});

DedicatedServer.implement({
  interfaces: [Server],
  fields: (t) => ({
    account: t.field({ type: Account, resolve: ({ accountId }) => ({ id: accountId }) }),
    // The table's check admits no other plan.
    plan: t.field({ type: DedicatedPlan, resolve: ({ planCode }) => findDedicatedPlan(planCode) as DedicatedPlanShape }),
    status: t.field({ type: DedicatedServerStatus, resolve: ({ status }) => status as DedicatedStatus }),
    billing: t.field({ type: BillingSubscription, resolve: ({ subscriptionId }) => ({ id: subscriptionId }) }),
  }),
});

builder.asEntity(DedicatedServer, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: ({ id }, ctx) => DedicatedServer.getDataloader(ctx).load(id),
});
