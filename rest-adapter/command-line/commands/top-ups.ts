import type { TopUps } from '../../client/index.ts';
import { amount } from '../amount.ts';
import type { Command, Context } from '../command.ts';
import { type Given, WrongUse } from '../given.ts';
import { card, table } from '../table.ts';

function autoLine(auto: TopUps['auto_top_up']): string {
  if (!auto) return 'Automatic top-ups were never set.';
  const { enabled, stopped, left_gb: left, gigabytes, ceiling, spent, currency, is_buying: isBuying } = auto;
  if (!enabled) return `Automatic top-ups are off${stopped === null ? '' : `: ${stopped}`}.`;
  const bought = `${amount(spent, currency)} of ${amount(ceiling, currency)} spent this month`;
  return `Below ${left} GB, ${gigabytes} GB are bought; ${bought}.${isBuying ? ' One is being bought.' : ''}`;
}

function answerWith({ answer }: Pick<Context, 'answer'>, data: TopUps): void {
  const { percents, left_gb: left } = data.alerts;
  const marks = [...percents.map((percent) => `${percent} % used`), ...left.map((gb) => `${gb} GB left`)];
  const rows = data.top_ups.map(({ order_id, gb, created_at, taken_back_at }) => [order_id, gb, created_at, taken_back_at]);
  answer(data, [
    `${data.total_gb} GB were bought for it.`,
    autoLine(data.auto_top_up),
    `Alerts at ${marks.join(', ')}.`,
    ...table(['ORDER', 'GB', 'AT', 'TAKEN BACK'], rows, 'There are no top-ups.'),
  ]);
}

/** Cents of `25` or `25.00`. */
const centsOf = (given: Given, name: string): number => Math.round(neededNumber(given, name) * 100);

function neededNumber(given: Given, name: string): number {
  const value = given.number(name);
  if (value === undefined) throw new WrongUse(`--${name} is missing.`);
  return value;
}

export const TOP_UP_COMMANDS: readonly Command[] = [
  {
    name: 'top-ups list',
    operands: ['PLAN'],
    says: 'shows top-ups, automatic ones and alerts of a plan',
    async run({ client, given, terminal, ...context }) {
      answerWith(context, await client.listTopUps({ product_id: given.needed('PLAN') }, terminal));
    },
  },
  {
    name: 'top-ups price',
    operands: ['PLAN', 'GB'],
    says: 'tells what more data for a plan costs',
    async run({ client, given, answer, terminal }) {
      const data = await client.getTopUpPrice({ product_id: given.needed('PLAN'), gigabytes: given.count('GB') }, terminal);
      const { subtotal, tax, total, currency, ...rest } = data;
      answer(data, card({ ...rest, subtotal: amount(subtotal, currency), tax: amount(tax, currency), total: amount(total, currency) }));
    },
  },
  {
    name: 'top-ups buy',
    operands: ['PLAN', 'GB'],
    says: 'buys more data for a plan, within the ceiling of its automatic top-ups',
    async run({ client, given, terminal, ...context }) {
      answerWith(context, await client.topUpPlan({ product_id: given.needed('PLAN'), gigabytes: given.count('GB') }, terminal));
    },
  },
  {
    name: 'top-ups set',
    operands: ['PLAN'],
    options: {
      'left-gb': { value: 'GB', says: 'with less than this left, data is bought' },
      gb: { value: 'GB', says: 'how much' },
      ceiling: { value: 'AMOUNT', says: 'the most of a month, with tax, such as 100.00' },
      'pause-minutes': { value: 'MINUTES', says: 'at least so long between two orders; else 60' },
    },
    says: 'sets automatic top-ups of a plan, which its owner has switched on',
    async run({ client, given, terminal, ...context }) {
      const pause = given.number('pause-minutes');
      const input = {
        product_id: given.needed('PLAN'),
        left_gb: neededNumber(given, 'left-gb'),
        gigabytes: neededNumber(given, 'gb'),
        ceiling: centsOf(given, 'ceiling'),
        ...(pause !== undefined && { pause_minutes: pause }),
      };
      answerWith(context, await client.setAutoTopUp(input, terminal));
    },
  },
  {
    name: 'top-ups stop',
    operands: ['PLAN'],
    says: 'switches automatic top-ups of a plan off',
    async run({ client, given, terminal, ...context }) {
      answerWith(context, await client.stopAutoTopUp({ product_id: given.needed('PLAN') }, terminal));
    },
  },
  {
    name: 'alerts',
    operands: ['PLAN'],
    options: {
      percents: { value: 'A,B', says: 'percents used' },
      'left-gb': { value: 'A,B', says: 'GB left' },
    },
    says: 'sets when the owner of a plan is told that data runs out; without options as for everybody',
    async run({ client, given, terminal, ...context }) {
      const marks = (name: string): number[] | undefined =>
        given.list(name)?.map((text) => {
          if (!/^\d+(\.\d+)?$/.test(text)) throw new WrongUse(`--${name} takes numbers, not ${text}.`);
          return Number(text);
        });
      const [percents, left] = [marks('percents'), marks('left-gb')];
      const input = { ...(percents && { percents }), ...(left && { left_gb: left }) };
      answerWith(context, await client.setPlanAlerts({ product_id: given.needed('PLAN'), ...input }, terminal));
    },
  },
];
