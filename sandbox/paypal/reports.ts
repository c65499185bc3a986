// The merchant's own account, as Transaction Search reports it. https://developer.paypal.com/docs/api/transaction-search/v1/
import { DAY, HOUR } from '#platform/clock.ts';
import { hasMoved } from './account.ts';
import { type Books, toTime } from './books.ts';
import { toMoney, unitsOf } from './money.ts';
import { invalid, notPermitted } from './problem.ts';
import type { AccountEntry } from './state.ts';
import type { Ask, Route } from './routes.ts';

/** "It takes a maximum of three hours for executed transactions to appear in the list transactions call." */
const LATE_MS = 3 * HOUR;
/** "The maximum supported range is 31 days." */
const RANGE_MS = 31 * DAY;
/** "This call lists transaction for the previous three years." */
const KEPT_MS = 3 * 365 * DAY;
/** Page size: 1 to 500, default 100; RESULTSET_TOO_LARGE: "Result set size is greater than the maximum limit", 10,000. */
const PAGE = { usual: 100, max: 500, items: 10_000 };
const KNOWN = [
  'start_date',
  'end_date',
  'transaction_id',
  'transaction_type',
  'page',
  'page_size',
  'fields',
  'balance_affecting_records_only',
];

const refuse = (issue: string, field: string, description?: string) =>
  invalid([{ issue, field, ...(description !== undefined && { description }) }]);

/** "in Internet date and time format. Seconds are required. Fractional seconds are optional." */
function dateOf(text: string | undefined, field: string): number {
  if (text === undefined) throw refuse('MISSING_REQUIRED_PARAMETER', field);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/.test(text)) throw refuse('INVALID_PARAMETER_SYNTAX', field);
  return new Date(text).getTime();
}

function wholeNumber(text: string, field: string, max: number): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > max) throw refuse('INVALID_PARAMETER_VALUE', field);
  return number;
}

/** Dates in answers have an offset without a colon. */
const toReportTime = (at: number): string => `${toTime(at).slice(0, -1)}+0000`;

const show = ({ id, code, reference, amount, fee, at, doneAt = at, status, custom }: AccountEntry): object => ({
  transaction_info: {
    transaction_id: id,
    ...(reference !== undefined && { paypal_reference_id: reference, paypal_reference_id_type: 'TXN' }),
    transaction_event_code: code,
    transaction_initiation_date: toReportTime(at),
    transaction_updated_date: toReportTime(doneAt),
    transaction_amount: amount,
    ...(fee && { fee_amount: fee }),
    transaction_status: status,
    ...(custom !== undefined && { custom_field: custom }),
  },
});

export function reportRoutes(books: Books): Record<string, Route> {
  const refreshedAt = () => books.now() - LATE_MS;
  const entries = () => books.state.entries.filter(({ at, doneAt = at }) => doneAt <= refreshedAt());
  const permitted = (work: (c: Ask) => object) => (c: Ask) => {
    // "until then the Transaction Search API will return permission denied": "Transaction Search" must be enabled for the app.
    if (!books.state.mayReport) throw notPermitted();
    return work(c);
  };
  return {
    'GET /v1/reporting/transactions': {
      work: permitted((c) => {
        const query = c.req.query();
        const unknown = Object.keys(query).find((name) => !KNOWN.includes(name));
        if (unknown !== undefined) throw refuse('NOT_SUPPORTED', unknown);
        const [from, until] = [dateOf(query['start_date'], 'start_date'), dateOf(query['end_date'], 'end_date')];
        if (until < from) throw refuse('INVALID_PARAMETER_VALUE', 'end_date');
        if (until - from > RANGE_MS) throw refuse('INVALID_DATE_RANGE', 'end_date', 'Date range is greater than 31 days');
        if (from > refreshedAt() || from < books.now() - KEPT_MS)
          throw refuse('DATA_NOT_AVAILABLE', 'start_date', 'Data for the given start date is not available.');
        const page = wholeNumber(query['page'] ?? '1', 'page', Number.MAX_SAFE_INTEGER);
        const size = wholeNumber(query['page_size'] ?? String(PAGE.usual), 'page_size', PAGE.max);
        const id = query['transaction_id'];
        if (id !== undefined && (id.length < 17 || id.length > 19)) throw refuse('INVALID_STRING_LENGTH', 'transaction_id');
        const type = query['transaction_type'];
        if (type !== undefined && !/^[a-zA-Z0-9]{5}$/.test(type)) throw refuse('INVALID_PARAMETER_VALUE', 'transaction_type');
        // Entries are selected by the date on which they began: one that is settled later stays at that date.
        const all = entries().filter(
          (entry) =>
            entry.at >= from && entry.at <= until && (id === undefined || entry.id === id) && (type === undefined || entry.code === type),
        );
        const found = query['balance_affecting_records_only'] === 'N' ? all : all.filter(hasMoved);
        if (found.length > PAGE.items) throw refuse('RESULTSET_TOO_LARGE', 'end_date');
        return {
          transaction_details: found.slice((page - 1) * size, page * size).map(show),
          account_number: 'EGRESSMERCHANT',
          start_date: toReportTime(from),
          end_date: toReportTime(Math.min(until, refreshedAt())),
          last_refreshed_datetime: toReportTime(refreshedAt()),
          page,
          total_items: found.length,
          total_pages: Math.ceil(found.length / size),
          links: [],
        };
      }),
    },
    // "It takes a maximum of three hours for balances to appear in the list balances call."
    'GET /v1/reporting/balances': {
      work: permitted(() => {
        const sums = new Map<string, number>();
        const add = (currency: string, units: number) => sums.set(currency, (sums.get(currency) ?? 0) + units);
        for (const { amount, fee } of entries().filter(hasMoved))
          add(amount.currency_code, unitsOf(amount, '/amount') + (fee ? unitsOf(fee, '/fee') : 0));
        return {
          balances: [...sums].map(([currency, units], index) => {
            const total = toMoney(units, currency);
            return {
              currency,
              primary: index === 0,
              total_balance: total,
              available_balance: total,
              withheld_balance: toMoney(0, currency),
            };
          }),
          account_id: 'EGRESSMERCHANT',
          as_of_time: toTime(books.now()),
          last_refresh_time: toTime(refreshedAt()),
        };
      }),
    },
  };
}
