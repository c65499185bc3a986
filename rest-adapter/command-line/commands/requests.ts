import type { ListRequestsInput, LoggedRequest, RequestLog } from '../../client/index.ts';
import type { Command, Context } from '../command.ts';
import { WrongUse } from '../given.ts';
import { table } from '../table.ts';

const MODES = ['off', 'sampled', 'whole'] as const;
/** The most of one request to the API. */
const PAGE = 1_000;
const DEFAULT_ROWS = 50;

const COLUMNS: readonly [name: string, of: (request: LoggedRequest) => string | number | null][] = [
  ['at', ({ at }) => at],
  ['duration_ms', ({ duration_ms: ms }) => ms],
  ['host', ({ host }) => host],
  ['port', ({ port }) => port],
  ['status', ({ status }) => status],
  ['up_bytes', ({ up_bytes: up }) => up],
  ['down_bytes', ({ down_bytes: down }) => down],
  ['country', ({ country }) => country],
  ['session', ({ session }) => session],
  ['user', ({ user }) => user],
  ['error', ({ error }) => error?.code ?? null],
  ['hint', ({ error }) => error?.hint ?? error?.message ?? null],
];

/** RFC 4180, and a leading ' before what a spreadsheet would take for a formula. */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '').replace(/^[=+\-@\t\r]/, "'$&");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The filter that was given, by the names of the API. */
function filterOf(given: Context['given']): Omit<ListRequestsInput, 'product_id'> {
  const texts = ['from', 'to', 'host', 'error', 'session'].map((name) => [name, given.text(name)] as const);
  const all = [...texts, ['user_id', given.text('user')] as const, ['status', given.number('status')] as const];
  return { ...Object.fromEntries(all.filter(([, value]) => value !== undefined)), ...(given.has('failed') && { failed: true }) };
}

const answerLog = ({ answer }: Pick<Context, 'answer'>, { mode, kept, ...data }: RequestLog): void =>
  answer({ ...data, mode, kept }, [`The log is ${mode}; ${kept} requests are kept.`]);

export const REQUEST_COMMANDS: readonly Command[] = [
  {
    name: 'requests list',
    operands: ['PLAN'],
    options: {
      failed: { says: 'those with an error, or a status of 400 and more' },
      from: { value: 'TIME', says: 'since then, such as 2026-01-15T00:00:00Z' },
      to: { value: 'TIME', says: 'until then' },
      host: { value: 'HOST', says: 'with all below it' },
      status: { value: 'NUMBER', says: 'what was answered' },
      error: { value: 'CODE', says: 'such as target_refused' },
      user: { value: 'USER', says: 'of one proxy user' },
      session: { value: 'NUMBER', says: 'of one session' },
      limit: { value: 'NUMBER', says: `at most so many; else ${DEFAULT_ROWS}` },
      csv: { says: 'as a table for spreadsheets: all of them, without --limit' },
    },
    says: 'lists single requests of a plan, the newest first',
    async run({ client, given, answer, terminal }) {
      const csv = given.has('csv');
      const rows = given.number('limit') ?? (csv ? Number.POSITIVE_INFINITY : DEFAULT_ROWS);
      const input = { product_id: given.needed('PLAN'), ...filterOf(given), limit: Math.min(rows, PAGE) };
      const requests: LoggedRequest[] = [];
      for await (const request of client.eachLoggedRequest(input, terminal)) if (requests.push(request) >= rows) break;
      const cells = requests.map((request) => COLUMNS.map(([, of]) => of(request)));
      const names = COLUMNS.map(([name]) => name);
      answer(
        { requests },
        csv ? [names, ...cells].map((row) => row.map(csvCell).join(',')) : table(names, cells, 'Nothing is written down.'),
      );
    },
  },
  {
    name: 'requests keep',
    operands: ['PLAN', 'MODE'],
    says: `sets what is written down from now on: ${MODES.join(', ')}`,
    async run({ client, given, terminal, ...context }) {
      const mode = MODES.find((one) => one === given.needed('MODE'));
      if (mode === undefined) throw new WrongUse(`MODE is one of ${MODES.join(', ')}.`);
      answerLog(context, await client.setRequestLog({ product_id: given.needed('PLAN'), mode }, terminal));
    },
  },
  {
    name: 'requests delete',
    operands: ['PLAN'],
    says: 'deletes all that is written down',
    async run({ client, given, terminal, ...context }) {
      answerLog(context, await client.deleteRequestLog({ product_id: given.needed('PLAN') }, terminal));
    },
  },
];
