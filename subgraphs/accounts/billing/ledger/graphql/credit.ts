import { CURRENCY } from '#commerce/money.ts';
import { builder } from '../../../builder.ts';
import { creditOfAccount } from '../entities/credit-balance.ts';
import { type StatementLine, creditStatement } from '../services/credit-statement.ts';
import { grantCredit } from '../services/grant-credit.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { Money } from './money.ts';

const CreditLine = builder.objectRef<StatementLine>('CreditLine').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    title: t.exposeString('title'),
    note: t.exposeString('note'),
    reference: t.exposeID('reference'),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    balance: t.field({ type: Money, resolve: ({ balanceMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    reversible: t.exposeBoolean('reversible'),
  }),
});

const CreditStatement = builder.objectRef<{ items: StatementLine[]; next: string | null }>('CreditStatement').implement({
  fields: (t) => ({
    items: t.field({ type: [CreditLine], resolve: ({ items }) => items }),
    next: t.exposeID('next', { nullable: true }),
  }),
});

export const AccountCredit = builder.objectRef<{ accountId: string }>('AccountCredit').implement({
  fields: (t) => ({
    balance: t.field({
      type: Money,
      resolve: async ({ accountId }, _, { em }) => ({ amountMinor: await creditOfAccount(em, accountId, CURRENCY), currency: CURRENCY }),
    }),
    statement: t.field({
      type: CreditStatement,
      args: { first: t.arg.int({ required: true, defaultValue: 25 }), after: t.arg.id() },
      resolve: ({ accountId }, page, ctx) => creditStatement(ctx, accountId, page),
    }),
  }),
});

builder.objectField(Account, 'credit', (t) =>
  t.field({ type: AccountCredit, authScopes: { account: 'billing' }, resolve: ({ id: accountId }) => ({ accountId }) }),
);

const SupportCreditGrantInput = builder.inputType('SupportCreditGrantInput', {
  fields: (t) => ({
    accountId: t.id({ required: true }),
    amountMinor: t.int({ required: true }),
    currency: t.string({ required: true }),
    reason: t.string({ required: true }),
    idempotencyKey: t.string({ required: true }),
  }),
});

builder.mutationField('supportCreditGrant', (t) =>
  t.field({
    type: Money,
    authScopes: { staff: 'credit' },
    args: { input: t.arg({ type: SupportCreditGrantInput, required: true }) },
    resolve: (_, { input }, ctx) => grantCredit(ctx, input),
  }),
);
