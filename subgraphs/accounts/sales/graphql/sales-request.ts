import { builder } from '../../builder.ts';
import { existingAccount } from '../../identity/entities/account.ts';
import { type SalesRequest as SalesRequestEntity, openSalesRequests, salesRequestsOfAccount } from '../entities/sales-request.ts';
import { closeSalesRequest, sendSalesRequest } from '../services/sales-requests.ts';
import { Account } from '../../identity/graphql/account.ts';

const SalesRequestStatus = builder.enumType('SalesRequestStatus', { values: ['OPEN', 'CLOSED'] as const });

const SalesRequest = builder.objectRef<SalesRequestEntity>('SalesRequest').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    product: t.exposeString('product'),
    volume: t.exposeString('volume'),
    message: t.exposeString('message'),
    status: t.expose('status', { type: SalesRequestStatus }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
    account: t.field({ type: Account, resolve: ({ accountId }, _, { em }) => existingAccount(em, accountId) }),
  }),
});

const SalesRequestInput = builder.inputType('SalesRequestInput', {
  fields: (t) => ({ product: t.string({ required: true }), volume: t.string({ required: true }), message: t.string() }),
});

builder.objectField(Account, 'salesRequests', (t) =>
  t.field({ type: [SalesRequest], authScopes: { session: 'billing' }, resolve: ({ id }, _, { em }) => salesRequestsOfAccount(em, id) }),
);

builder.queryField('supportSalesRequests', (t) =>
  t.field({ type: [SalesRequest], authScopes: { staff: 'sales' }, resolve: (_, __, { em }) => openSalesRequests(em) }),
);

builder.mutationFields((t) => ({
  salesRequestSend: t.field({
    type: SalesRequest,
    authScopes: { session: 'pay' },
    args: { input: t.arg({ type: SalesRequestInput, required: true }) },
    resolve: (_, { input }, ctx) => sendSalesRequest(ctx, input),
  }),
  supportSalesRequestClose: t.field({
    type: SalesRequest,
    authScopes: { staff: 'sales' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => closeSalesRequest(ctx, id),
  }),
}));
