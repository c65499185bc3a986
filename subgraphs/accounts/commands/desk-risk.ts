// The desk's commands on the rules that judge orders, and on the orders that they hold.
import { riskRules } from '../billing/risk/entities/risk-rule.ts';
import { refuseOrder, releaseOrder, setIdentityLevel } from '../billing/reviews/services/risk-desk.ts';
import { reviewOfOrder } from '../billing/risk/entities/order-review.ts';
import { supportOrders } from '../support/services/support-orders.ts';
import { Refusal, table } from '#platform/desk-command.ts';
import { type Command, accountOf } from './desk.ts';

export const RISK_COMMANDS: Readonly<Record<string, Command>> = {
  'risk-rules': {
    permission: 'risk',
    words: '',
    about: 'the rules on orders: what they look at, and what becomes of what they find',
    run: async ({ em }) =>
      table(
        (await riskRules(em)).map(({ id, kind, outcome, enabled, onlyNew, amountMinor, maxOrders, hours, identityLevel, words }) => [
          ...[id, kind, outcome, enabled ? 'on' : 'off', onlyNew ? 'new accounts' : 'all accounts'],
          amountMinor ?? (maxOrders ? `${maxOrders} in ${hours} h` : identityLevel),
          words.join(','),
        ]),
      ),
  },
  held: {
    permission: 'risk',
    words: '',
    about: 'orders that are paid and held by a rule, with what it has found',
    async run(ctx) {
      const rows = [];
      for (const { id, accountId, title } of await supportOrders(ctx, 'REVIEW')) {
        const findings = (await reviewOfOrder(ctx.em, id))?.findings ?? [];
        rows.push([id, accountId, title, findings.map(({ kind, detail }) => `${kind} ${detail}`).join('; ')]);
      }
      return table(rows);
    },
  },
  release: {
    permission: 'risk',
    words: 'ORDER-ID --reason TEXT',
    about: 'delivers an order that a rule holds',
    run: async (ctx, { of, reason = '' }) => `${(await releaseOrder(ctx, { id: of, reason })).id} is delivered.`,
  },
  refuse: {
    permission: 'risk',
    words: 'ORDER-ID --reason TEXT',
    about: 'pays back an order that a rule holds',
    run: async (ctx, { of, reason = '' }) => `${(await refuseOrder(ctx, { id: of, reason })).id} is paid back.`,
  },
  identity: {
    permission: 'risk',
    words: 'EMAIL|ACCOUNT-ID --kind LEVEL --reason TEXT',
    about: 'notes how well it is known who is behind an account, 0 to 9, and what says so',
    async run(ctx, { of, kind, reason = '' }) {
      if (kind === undefined || !/^\d$/.test(kind)) throw new Refusal('--kind is a level from 0 to 9.');
      const { id: accountId } = await accountOf(ctx, of);
      const { level } = await setIdentityLevel(ctx, { accountId, level: Number(kind), reference: reason });
      return `${accountId}: level ${level}.`;
    },
  },
};
