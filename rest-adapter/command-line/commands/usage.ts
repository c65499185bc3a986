import { barChart, meter } from '../chart.ts';
import type { Command } from '../command.ts';
import { EVERY, every } from '../every.ts';
import { table } from '../table.ts';

const METER = 40;
const DIMENSIONS = ['day', 'hour', 'country', 'session', 'host', 'client', 'batch', 'api_key', 'user'] as const;
const HOSTS_SAY = {
  hashed: 'Hosts are kept hashed: told apart, not readable. What was counted before is as it was kept then.\n',
  off: 'Hosts are not kept. What was counted before is as it was kept then.\n',
};
const figures = ({ used_data: used, total_data: total }: { used_data: number; total_data: number }): string =>
  `${meter(used, total, METER)}  ${used} of ${total} GB`;

export const USAGE_COMMANDS: readonly Command[] = [
  {
    name: 'usage',
    operands: ['PLAN'],
    says: 'shows what a plan has used, with a chart of its last 30 days',
    async run({ client, given, answer, terminal }) {
      const plan = { product_id: given.needed('PLAN') };
      const usage = await client.getResidentialUsage(plan, terminal);
      const statistics = await client.getResidentialStatistics(plan, terminal);
      answer({ ...usage, ...statistics }, [figures(usage), '', ...barChart(statistics.days, statistics.unit, terminal.columns)]);
    },
  },
  {
    name: 'statistics',
    operands: ['PLAN'],
    says: 'lists what a plan has used on each of the last 30 days (UTC)',
    async run({ client, given, answer, terminal }) {
      const data = await client.getResidentialStatistics({ product_id: given.needed('PLAN') }, terminal);
      answer(data, table(['DAY', data.unit], Object.entries(data.days), 'There are no days.'));
    },
  },
  {
    name: 'breakdown',
    operands: ['PLAN'],
    options: {
      by: { value: 'WHAT', says: `${DIMENSIONS.join(', ')}; else host` },
      from: { value: 'TIME', says: 'since then, such as 2026-01-15T00:00:00Z' },
      to: { value: 'TIME', says: 'until then' },
      limit: { value: 'NUMBER', says: 'at most so many rows; else 20' },
    },
    says: 'tells what the data of a plan was used for',
    async run({ client, given, answer, terminal }) {
      const [from, to, limit] = [given.text('from'), given.text('to'), given.number('limit')];
      const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(limit !== undefined && { limit }) };
      const by = given.oneOf('by', DIMENSIONS) ?? 'host';
      const data = await client.getUsageBreakdown({ product_id: given.needed('PLAN'), by, ...span }, terminal);
      const { shares, others, hosts } = data;
      const rowOf = (name: string | null, { up_bytes: up, down_bytes: down, total_bytes: total }: typeof others) => [name, up, down, total];
      const rows = [
        ...shares.map((share) => rowOf(share.value, { ...share, values: 1 })),
        ...(others.values > 0 ? [rowOf(`${others.values} others`, others)] : []),
      ];
      if (by === 'host' && hosts !== 'plain') terminal.err(HOSTS_SAY[hosts]);
      answer(data, table([by.toUpperCase(), 'UP', 'DOWN', 'BYTES'], rows, 'Nothing was used.'));
    },
  },
  {
    name: 'watch',
    operands: ['PLAN'],
    options: EVERY,
    endless: true,
    says: 'shows what a plan uses, live, until Ctrl-C',
    async run({ client, given, answerOne, terminal }) {
      const plan = { product_id: given.needed('PLAN') };
      let before: number | undefined;
      await every(given, terminal.signal, async () => {
        const usage = await client.getResidentialUsage(plan, terminal);
        const grown = before === undefined ? '' : `  +${((usage.used_data - before) * 1_000).toFixed(2)} MB`;
        before = usage.used_data;
        // A screen shows the present state in one line; a file gets a line for each look.
        if (terminal.isWatched && !given.has('json')) terminal.out(`\r\u001B[K${figures(usage)}${grown}`);
        else answerOne(usage, `${figures(usage)}${grown}`);
      });
      if (terminal.isWatched && !given.has('json')) terminal.out('\n');
    },
  },
];
