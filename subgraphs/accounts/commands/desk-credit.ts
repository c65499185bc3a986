// The desk's commands on account credit: what one member of staff asks for and another one agrees to, and what is paid out.
import { newId } from '#platform/ids.ts';
import { CURRENCY, formatMoney, toMinor } from '#commerce/money.ts';
import { CREDIT_REQUEST_KINDS, openCreditRequests } from '../billing/approvals/entities/credit-request.ts';
import { approveCredit, declineCredit, requestCredit } from '../billing/approvals/services/credit-requests.ts';
import { type PayablePart, payableCredit } from '../billing/refunds/services/credit-payable.ts';
import { payOutCredit } from '../billing/refunds/services/pay-out-credit.ts';
import { Refusal, table } from '#platform/desk-command.ts';
import { type Command, accountOf, oneOf } from './desk.ts';

export const CREDIT_COMMANDS: Readonly<Record<string, Command>> = {
  'credit-requests': {
    permission: 'credit_request',
    words: '',
    about: 'credit that a colleague asks for and nobody has answered yet',
    run: async (ctx) =>
      table(
        (await openCreditRequests(ctx.em, ctx.clock.now())).map(
          ({ id, kind, accountId, amountMinor, currency, askedBy, expiresAt, note }) => [
            ...[id, kind, accountId, formatMoney({ amountMinor, currency }), `asked by ${askedBy}`, `until ${expiresAt.toISOString()}`],
            note,
          ],
        ),
      ),
  },
  'credit-request': {
    permission: 'credit_request',
    words: 'ACCOUNT --amount 12.50 --reason TEXT [--kind grant|pay_out] [--to IBAN]',
    about: 'asks for credit that one may not give or pay out alone; a colleague answers within seven days',
    async run(ctx, { of, amount, reason, kind = 'grant', to }) {
      if (amount === undefined || reason === undefined)
        throw new Refusal('Say how much, and why, as the customer will read it: --amount 12.50 --reason TEXT.');
      if (!/^\d+(\.\d{1,2})?$/.test(amount)) throw new Refusal(`--amount is what is to be given, such as 12.50, not ${amount}.`);
      const { id: accountId } = await accountOf(ctx, of);
      const asked = { accountId, amountMinor: toMinor(amount), currency: CURRENCY, reason, payTo: to };
      const request = await requestCredit(ctx, { ...asked, kind: oneOf(CREDIT_REQUEST_KINDS, '--kind', kind) });
      return `${request.id} waits for a colleague.`;
    },
  },
  'credit-agree': {
    permission: 'credit',
    words: 'REQUEST-ID',
    about: 'gives or pays out credit that a colleague has asked for',
    async run(ctx, { of }) {
      const { kind, accountId, amountMinor, currency } = await approveCredit(ctx, of);
      return `${accountId} has ${formatMoney({ amountMinor, currency })} ${kind === 'GRANT' ? 'more' : 'less: it is paid out'}.`;
    },
  },
  'credit-refuse': {
    permission: 'credit',
    words: 'REQUEST-ID',
    about: 'does not give or pay out credit that a colleague has asked for',
    run: async (ctx, { of }) => `${(await declineCredit(ctx, of)).id} is declined.`,
  },
  'credit-payable': {
    permission: 'pay_out',
    words: 'ACCOUNT',
    about: 'what of the credit can be paid out, to what it came from, the oldest first; `by hand`: a person sends it',
    run: async (ctx, { of }) => table(rowsOf(await payableCredit(ctx, (await accountOf(ctx, of)).id))),
  },
  'credit-pay-out': {
    permission: 'pay_out',
    words: 'ACCOUNT --reason TEXT [--amount 12.50] [--to IBAN]',
    about: 'pays credit out to what it came from; `--to`: where a person sends what no processor gives back',
    async run(ctx, { of, amount, reason, to }) {
      if (reason === undefined) throw new Refusal('Say why, as the customer will read it: --reason TEXT.');
      if (amount !== undefined && !/^\d+(\.\d{1,2})?$/.test(amount))
        throw new Refusal(`--amount is what is to be paid out, such as 12.50, not ${amount}.`);
      const { parts } = await payOutCredit(ctx, {
        accountId: (await accountOf(ctx, of)).id,
        amountMinor: amount === undefined ? null : toMinor(amount),
        payTo: to,
        reason,
        idempotencyKey: newId('op', ctx.clock),
      });
      return table(rowsOf(parts));
    },
  },
};

const rowsOf = (parts: readonly PayablePart[]) =>
  parts.map(({ amountMinor, destination, byHand, chargeId }) => [
    formatMoney({ amountMinor, currency: CURRENCY }),
    destination,
    byHand ? 'by hand' : 'by itself',
    chargeId,
  ]);
