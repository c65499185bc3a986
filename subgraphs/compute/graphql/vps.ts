import { builder } from '../builder.ts';
import { VPS_STATUSES, type VpsStatus as VpsStatusShape } from '../domain/server-lifecycle.ts';
import { type VpsPlan as VpsPlanShape, findVpsPlan } from '../domain/vps-plan.ts';
import type { ServerRow } from '../entities/server.ts';
import { Account, BillingSubscription } from './account.ts';
import { Server, loadServers } from './server.ts';
import { VpsPlan } from './vps-plan.ts';

const VpsStatus = builder.enumType('VpsStatus', { values: VPS_STATUSES });

const Vps = builder.loadableObjectRef<ServerRow, string>('Vps', { load: (ids, ctx) => loadServers(ids, ctx, 'VPS') });

Vps.implement({
  interfaces: [Server],
  fields: (t) => ({
    account: t.field({ type: Account, resolve: ({ accountId }) => ({ id: accountId }) }),
    // The table's check admits no other plan.
    plan: t.field({ type: VpsPlan, resolve: ({ planCode }) => findVpsPlan(planCode) as VpsPlanShape }),
    status: t.field({ type: VpsStatus, resolve: ({ status }) => status as VpsStatusShape }),
    billing: t.field({ type: BillingSubscription, resolve: ({ subscriptionId }) => ({ id: subscriptionId }) }),
  }),
});

builder.asEntity(Vps, {
  key: builder.selection<{ id: string }>('id'),
  resolveReference: ({ id }, ctx) => Vps.getDataloader(ctx).load(id),
});
