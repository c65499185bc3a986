// What moved our account at PayPal: fees, what was given back, disputed and paid out to our bank. Transaction Search:
// https://developer.paypal.com/docs/api/transaction-search/v1/. The app needs its box "Transaction Search" ticked; without it PayPal answers 403.
import { z } from 'zod';
import { type Clock, DAY, HOUR, SECOND, after as later } from '#platform/clock.ts';
import type { MovementKind, PayoutStatus } from '../../domain/balance-movement.ts';
import type { BalanceMovement, Page, PayoutState, ProcessorBalance } from '../processor-balance.ts';
import { type PayPalClient, PayPalRefusal } from './paypal-client.ts';
import { moneyShape, toMinorUnits } from './paypal-money.ts';

/** The most that it takes. */
const PAGE_SIZE = 500;
/** "It takes a maximum of three hours for executed transactions to appear." Nothing is told of what begins later. */
const UNTOLD_MS = 3 * HOUR;
/** A payment from a bank account stands where it began, days before it came: six working days, a review some more. */
const LATE_MS = 15 * DAY;
/** The longest span that it takes. */
const RANGE_MS = 31 * DAY;
/** Of more than 10,000 it tells none. */
const TOO_MANY = 'RESULTSET_TOO_LARGE';
const AT = '/v1/reporting';

const dateShape = z.string().transform((text) => new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')));
const entryShape = z.object({
  transaction_id: z.string().min(1),
  paypal_reference_id: z.string().optional(),
  paypal_reference_id_type: z.string().optional(),
  transaction_event_code: z.string(),
  transaction_initiation_date: dateShape,
  transaction_amount: moneyShape,
  fee_amount: moneyShape.optional(),
  transaction_status: z.string().optional(),
  transaction_note: z.string().optional(),
});
type Entry = z.output<typeof entryShape>;
const pageShape = z.object({
  transaction_details: z.array(z.object({ transaction_info: entryShape })).default([]),
  total_pages: z.number().default(1),
});
const balancesShape = z.object({ balances: z.array(z.object({ total_balance: moneyShape })).default([]) });

/** Part of a span, and the page of it that comes next. */
interface Place {
  start: Date;
  end: Date;
  page: number;
}

export function createPayPalBalance(client: PayPalClient, clock: Clock): ProcessorBalance {
  async function list({ start, end, page }: Place, more: Record<string, string> = {}) {
    const query = new URLSearchParams({
      start_date: start.toISOString(),
      end_date: end.toISOString(),
      page: String(page),
      page_size: String(PAGE_SIZE),
      fields: 'transaction_info',
      balance_affecting_records_only: 'Y',
      ...more,
    });
    const { transaction_details: details, total_pages: pages } = pageShape.parse(
      await client.call('GET', `${AT}/transactions?${query.toString()}`),
    );
    return { entries: details.map(({ transaction_info: entry }) => entry), pages };
  }

  /** Where there are too many for an answer, half of the time is asked for. */
  async function listSome(place: Place): Promise<{ place: Place; entries: Entry[]; pages: number }> {
    try {
      return { place, ...(await list(place)) };
    } catch (error) {
      const half = Math.floor((place.end.getTime() - place.start.getTime()) / 2 / SECOND) * SECOND;
      if (!(error instanceof PayPalRefusal && error.issue === TOO_MANY) || half === 0) throw error;
      return listSome({ start: place.start, end: later(place.start, half), page: 1 });
    }
  }

  return {
    lateMs: LATE_MS,
    datesHoldsBack: true,

    async movements({ from, until, after }) {
      const asked = after === undefined ? { start: from, end: until, page: 1 } : fromToken(after);
      if (asked.start >= later(clock.now(), -UNTOLD_MS)) return { items: [], next: undefined };
      const { place, entries, pages } = await listSome(asked);
      const next =
        place.page < pages
          ? toToken({ ...place, page: place.page + 1 })
          : place.end < until
            ? toToken({ start: place.end, end: until, page: 1 })
            : undefined;
      return { items: entries.flatMap((entry) => toMovement(entry) ?? []), next } satisfies Page<BalanceMovement>;
    },

    async payouts(ids, since) {
      const end = clock.now();
      const start = new Date(Math.max(later(end, -RANGE_MS).getTime(), since.getTime()));
      const states = new Map<string, string | undefined>();
      for (const code of WITHDRAWALS)
        for (let [page, pages] = [1, 1]; page <= pages; page++) {
          const answer = await list({ start, end, page }, { transaction_type: code });
          for (const { transaction_id: id, transaction_status: status } of answer.entries) states.set(id, status);
          pages = answer.pages;
        }
      // Of what is older it says nothing more: what a bank sends back is an entry of its own.
      const stateOf = (id: string): PayoutState => ({
        status: PAYOUTS[states.get(id) ?? ''] ?? 'PAID',
        failure: undefined,
        arrivesAt: undefined,
        lines: 'UNKNOWN',
      });
      return new Map(ids.map((id) => [id, stateOf(id)]));
    },

    // It never says what is in a withdrawal: whoever withdraws chooses the sum.
    linesOf: async () => ({ items: [], next: undefined }),

    async held() {
      const { balances } = balancesShape.parse(await client.call('GET', `${AT}/balances?currency_code=ALL`));
      return Object.fromEntries(balances.map(({ total_balance: total }) => [total.currency_code, toMinorUnits(total)]));
    },
  };
}

const toToken = ({ start, end, page }: Place): string => `${start.getTime()}~${end.getTime()}~${page}`;
function fromToken(token: string): Place {
  const [start = 0, end = 0, page = 1] = token.split('~').map(Number);
  return { start: new Date(start), end: new Date(end), page };
}

const PAYOUTS: Readonly<Record<string, PayoutStatus>> = { P: 'IN_TRANSIT', D: 'FAILED', V: 'FAILED' };

/** Bank withdrawals, T04nn: asked for by the merchant or by PayPal, swept by itself, and asked for on PayPal's pages. */
const WITHDRAWALS = ['T0400', 'T0401', 'T0403'] as const;

/** https://developer.paypal.com/docs/transaction-search/transaction-event-codes/, https://developer.paypal.com/docs/reports/reference/tcodes/ */
const KINDS: Readonly<Record<string, MovementKind>> = {
  // Reversals that have a kind of their own; the rest of T11nn is something else.
  T1101: 'PAYOUT_RETURNED',
  T1107: 'REFUND',
  T1108: 'FEE',
  T1109: 'FEE',
  // Reversed by PayPal; held "to cover possible chargeback", and that hold's end.
  T1106: 'DISPUTE',
  T1110: 'DISPUTE',
  T1111: 'DISPUTE',
  // Chargeback, its reversal, its reimbursement, "re-presentment rejection", cancellation.
  T1201: 'DISPUTE',
  T1202: 'DISPUTE',
  T1205: 'DISPUTE',
  T1207: 'DISPUTE',
  T1208: 'DISPUTE',
};
/** "The event group portion of the T-code is sufficient for reconciliation". */
const GROUPS: Readonly<Record<string, MovementKind>> = { T00: 'PAYMENT', T01: 'FEE', T04: 'PAYOUT' };
/** Holds, reserves and their release: the money stays ours. T1105 is the "reversal of general account hold". */
const isHeld = (code: string): boolean => code === 'T1105' || ['T15', 'T21'].includes(code.slice(0, 3));
/** "Chargeback processing fee", "dispute fee": told with the dispute, by an id that is not known here. */
const DISPUTE_FEES = new Set(['T0106', 'T0114']);

/** Every code may be a credit or a debit, "based on the direction of the payment": what comes back is told by its sign. */
function kindOf(code: string, amountMinor: number): MovementKind {
  const kind = KINDS[code] ?? GROUPS[code.slice(0, 3)] ?? 'OTHER';
  if (kind === 'REFUND' || kind === 'DISPUTE') return amountMinor > 0 ? `${kind}_RETURNED` : kind;
  // The same codes stand for what we pay, and for what is paid in.
  return (kind === 'PAYMENT' && amountMinor < 0) || (kind === 'PAYOUT' && amountMinor > 0) ? 'OTHER' : kind;
}

/** Undefined: nothing of ours has moved, or not yet. */
function toMovement(entry: Entry): BalanceMovement | undefined {
  const { transaction_id: id, transaction_event_code: code, transaction_status: status } = entry;
  // The fee of a chargeback names that, and no payment.
  const reference = entry.paypal_reference_id_type === 'TXN' && code !== 'T0106' ? entry.paypal_reference_id : undefined;
  const amount = toMinorUnits(entry.transaction_amount);
  const kind = kindOf(code, amount);
  if (isHeld(code) || status === 'D' || (status === 'P' && kind !== 'PAYOUT')) return undefined;
  const fee = entry.fee_amount ? 0 - toMinorUnits(entry.fee_amount) : 0;
  return {
    // "Transaction ID is not unique in the reporting system": what comes back has the id of what had gone.
    id: `${id}:${code}:${amount < 0 ? 'DR' : 'CR'}`,
    kind,
    subjectId: kind === 'PAYOUT_RETURNED' ? reference : id,
    paymentId: kind === 'PAYMENT' ? id : kind === 'PAYOUT' || kind === 'PAYOUT_RETURNED' ? undefined : reference,
    amountMinor: kind === 'FEE' ? 0 : amount,
    feeMinor: kind === 'FEE' ? 0 - amount : fee,
    ...(DISPUTE_FEES.has(code) && { bookedWithDispute: true }),
    currency: entry.transaction_amount.currency_code,
    words: entry.transaction_note ?? code,
    movedAt: entry.transaction_initiation_date,
    availableAt: entry.transaction_initiation_date,
  };
}
