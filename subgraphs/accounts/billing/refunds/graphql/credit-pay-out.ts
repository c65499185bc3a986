// Pay-outs of credit to the charges that it came from: what can be paid out, what has been, and the desk's operation that does it.
import { mayAsStaff } from '#platform/staff-rights.ts';
import { CURRENCY, sumOfAmounts } from '#commerce/money.ts';
import { builder } from '../../../builder.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { AccountCredit } from '../../ledger/graphql/credit.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { payOutsOfAccount } from '../entities/refund.ts';
import { type PayablePart, payableCredit } from '../services/credit-payable.ts';
import { type CreditPayOut as PaidOut, payOutCredit } from '../services/pay-out-credit.ts';
import { Refund, RefundDestination } from './payment.ts';

const inMoney = (amountMinor: number) => ({ amountMinor, currency: CURRENCY });

const CreditPart = builder.objectRef<PayablePart>('CreditPart').implement({
  fields: (t) => ({
    amount: t.field({ type: Money, resolve: ({ amountMinor }) => inMoney(amountMinor) }),
    destination: t.expose('destination', { type: RefundDestination }),
    byHand: t.exposeBoolean('byHand'),
    charge: t.exposeString('chargeId'),
  }),
});

const CreditPayable = builder.objectRef<{ parts: PayablePart[] }>('CreditPayable').implement({
  fields: (t) => ({
    amount: t.field({ type: Money, resolve: ({ parts }) => inMoney(sumOfAmounts(parts)) }),
    byItself: t.field({ type: Money, resolve: ({ parts }) => inMoney(sumOfAmounts(parts.filter(({ byHand }) => !byHand))) }),
    parts: t.field({ type: [CreditPart], resolve: ({ parts }) => parts }),
  }),
});

const CreditPayOut = builder.objectRef<PaidOut>('CreditPayOut').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    parts: t.field({ type: [CreditPart], resolve: ({ parts }) => parts }),
  }),
});

builder.objectField(Account, 'creditPayable', (t) =>
  t.field({
    type: CreditPayable,
    nullable: true,
    resolve: async ({ id }, _, ctx) => (mayAsStaff(ctx.viewer, 'customers') ? { parts: await payableCredit(ctx, id) } : null),
  }),
);

builder.objectField(AccountCredit, 'payOuts', (t) =>
  t.field({ type: [Refund], resolve: ({ accountId }, _, { em }) => payOutsOfAccount(em, accountId) }),
);

const SupportCreditPayOutInput = builder.inputType('SupportCreditPayOutInput', {
  fields: (t) => ({
    accountId: t.id({ required: true }),
    amountMinor: t.int(),
    payTo: t.string(),
    reason: t.string({ required: true }),
    idempotencyKey: t.string({ required: true }),
  }),
});

builder.mutationField('supportCreditPayOut', (t) =>
  t.field({
    type: CreditPayOut,
    authScopes: { staff: 'pay_out' },
    args: { input: t.arg({ type: SupportCreditPayOutInput, required: true }) },
    resolve: (_, { input }, ctx) => payOutCredit(ctx, input),
  }),
);
