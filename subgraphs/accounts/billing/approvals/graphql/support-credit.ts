// Credit that support asks for, approves, declines and takes back. What one member of support may give alone is not here.
import { APPROVAL_DECISIONS } from '#commerce/second-person.ts';
import { builder } from '../../../builder.ts';
import { existingAccount } from '../../../identity/entities/account.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { CREDIT_REQUEST_KINDS, type CreditRequest as CreditRequestEntity, openCreditRequests } from '../entities/credit-request.ts';
import { approveCredit, declineCredit, requestCredit } from '../services/credit-requests.ts';
import { reverseCredit } from '../../ledger/services/reverse-credit.ts';
import { Money } from '../../ledger/graphql/money.ts';

const CreditDecision = builder.enumType('CreditDecision', { values: APPROVAL_DECISIONS });

const CreditRequestKind = builder.enumType('CreditRequestKind', { values: CREDIT_REQUEST_KINDS });

const CreditRequest = builder.objectRef<CreditRequestEntity>('CreditRequest').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: CreditRequestKind }),
    account: t.field({ type: Account, resolve: ({ accountId }, _, { em }) => existingAccount(em, accountId) }),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    reason: t.exposeString('note'),
    payTo: t.exposeString('payTo', { nullable: true }),
    askedBy: t.field({ type: Account, resolve: ({ askedBy }, _, { em }) => existingAccount(em, askedBy) }),
    askedAt: t.expose('askedAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
    decision: t.expose('decision', { type: CreditDecision, nullable: true }),
  }),
});

const SupportCreditRequestInput = builder.inputType('SupportCreditRequestInput', {
  fields: (t) => ({
    accountId: t.id({ required: true }),
    amountMinor: t.int({ required: true }),
    currency: t.string({ required: true }),
    reason: t.string({ required: true }),
    kind: t.field({ type: CreditRequestKind, defaultValue: 'GRANT' }),
    payTo: t.string(),
  }),
});

const SupportCreditReverseInput = builder.inputType('SupportCreditReverseInput', {
  fields: (t) => ({
    lineId: t.id({ required: true }),
    whatIsLeft: t.boolean({ defaultValue: false }),
    reason: t.string({ required: true }),
  }),
});

builder.queryField('supportCreditRequests', (t) =>
  t.field({
    type: [CreditRequest],
    authScopes: { staff: 'credit_request' },
    resolve: (_, __, { em, clock }) => openCreditRequests(em, clock.now()),
  }),
);

builder.mutationFields((t) => ({
  supportCreditRequest: t.field({
    type: CreditRequest,
    authScopes: { staff: 'credit_request' },
    args: { input: t.arg({ type: SupportCreditRequestInput, required: true }) },
    resolve: (_, { input }, ctx) => requestCredit(ctx, input),
  }),
  supportCreditApprove: t.field({
    type: CreditRequest,
    authScopes: { staff: 'credit' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => approveCredit(ctx, id),
  }),
  supportCreditDecline: t.field({
    type: CreditRequest,
    authScopes: { staff: 'credit' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => declineCredit(ctx, id),
  }),
  supportCreditReverse: t.field({
    type: Money,
    authScopes: { staff: 'credit' },
    args: { input: t.arg({ type: SupportCreditReverseInput, required: true }) },
    resolve: (_, { input }, ctx) => reverseCredit(ctx, input),
  }),
}));
