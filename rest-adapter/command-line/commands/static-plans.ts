import { amount } from '../amount.ts';
import type { StaticPlan } from '../../client/index.ts';
import type { Command } from '../command.ts';
import { WrongUse } from '../given.ts';
import { lineTestCard } from '../line-test-card.ts';
import { plain, table } from '../table.ts';

const isKind = (kind: string): kind is 'isp' | 'dc' => kind === 'isp' || kind === 'dc';

export const STATIC_COMMANDS: readonly Command[] = [
  {
    name: 'static',
    operands: ['KIND'],
    options: {
      product: { value: 'ID', says: 'only plans of this product of the catalogue' },
      https: { says: 'lines of HTTP proxies over TLS, where they are offered' },
      lines: { says: 'prints the proxy lines of all plans, one a line' },
    },
    says: 'lists the ISP or datacenter plans; KIND is isp or dc',
    async run({ client, given, answer, terminal }) {
      const kind = given.needed('KIND');
      if (!isKind(kind)) throw new WrongUse(`KIND is isp or dc, not ${kind}.`);
      const productId = given.text('product');
      const plans: StaticPlan[] = [];
      for await (const plan of client.eachStaticPlan(
        { productType: kind, limit: 100, ...(productId !== undefined && { productId }), ...(given.has('https') && { protocol: 'https' }) },
        terminal,
      ))
        plans.push(plan);
      const rows = plans.map(({ _id, status, quantity }) => [_id, status, quantity]);
      const lines = given.has('lines')
        ? plans.flatMap(({ proxies }) => proxies.map(plain))
        : table(['PLAN', 'STATUS', 'PROXIES'], rows, 'There are no such plans.');
      answer({ plans }, lines);
    },
  },
  {
    name: 'static-test',
    operands: ['LINE'],
    says: 'sends a real request through a line of a static plan, and tells where it leaves from and how quickly',
    async run({ client, given, answer, terminal }) {
      const data = await client.testStaticLine({ line: given.needed('LINE') }, terminal);
      answer(data, lineTestCard(data));
    },
  },
  {
    name: 'subscriptions',
    says: 'lists the subscriptions of static plans, and until when they are paid',
    async run({ client, answer, terminal }) {
      const data = await client.getSubscriptions({}, terminal);
      const rows = data.subscriptions.map(({ plan_id, type, product_name, status, billing }) => [
        plan_id,
        type,
        product_name,
        status,
        billing.status,
        new Date(billing.current_period_end * 1_000).toISOString().slice(0, 10),
        `${amount(billing.amount, 'USD')} / ${billing.interval_count} ${billing.interval}`,
      ]);
      answer(data, table(['PLAN', 'KIND', 'PRODUCT', 'STATUS', 'BILLING', 'UNTIL', 'PRICE'], rows, 'There are no subscriptions.'));
    },
  },
];
