// The desk's commands on the books: reports and files by period, and invoices that are issued anew because their address was wrong.
import { type Money, formatMoney } from '#commerce/money.ts';
import { toDay } from '#platform/clock.ts';
import { formatNumber } from '../billing/invoices/domain/invoice.ts';
import { EXPORT_FORMATS, EXPORT_KINDS, type ExportPart, financeExport } from '../billing/finance/services/finance-export.ts';
import { figureSeries, productFigures } from '../billing/finance/services/figures.ts';
import { type FinanceReport, financeReport } from '../billing/finance/services/finance-report.ts';
import {
  type TaxLine,
  oneStopShop,
  oneStopShopCorrections,
  recapitulativeStatement,
  taxReturn,
} from '../billing/finance/services/tax-returns.ts';
import { payoutSums, payoutsOf, processorBooks } from '../billing/payouts/services/reconcile.ts';
import { reissueInvoice } from '../billing/finance/services/reissue-invoice.ts';
import { lastExchangeRates, noteExchangeRate } from '../billing/tax/services/local-tax.ts';
import type { Context } from '../context.ts';
import { Refusal, table } from '#platform/desk-command.ts';
import { type Command, type Words, oneOf } from './desk.ts';

type Rows = (string | number | null | undefined)[][];

const REPORTS: Readonly<Record<string, (report: FinanceReport, ctx: Context) => Promise<Rows>>> = {
  balances: async (report) =>
    (await report.trialBalance()).map(({ ledger, opening, debit, credit, closing }) => [ledger, ...of(opening, debit, credit, closing)]),
  tax: async ({ period }, ctx) => taxRows(await taxReturn(ctx, period)),
  oss: async ({ period }, ctx) => [
    ...taxRows(await oneStopShop(ctx, period)),
    ...(await oneStopShopCorrections(ctx, period)).map(({ quarter, country, documents, tax, localTax }) => [
      country,
      `corrects ${quarter}`,
      '',
      documents,
      '',
      ...of(tax),
      '',
      ...maybe(localTax),
    ]),
  ],
  recapitulative: async ({ period }, ctx) =>
    (await recapitulativeStatement(ctx, period)).map(({ country, taxId, documents, net, localNet }) => [
      country,
      taxId,
      documents,
      ...of(net),
      ...maybe(localNet),
    ]),
  sales: async (report) =>
    (await report.salesByProduct()).map(({ seller, product, invoices, sold, givenBack, net }) => [
      seller,
      product,
      invoices,
      ...of(sold, givenBack, net),
    ]),
  deferred: async (report) =>
    (await report.deferredRevenue()).flatMap(({ months, total, schedule }) => [
      [`${months} months`, 'all', ...of(total)],
      ...schedule.map(({ month, amount }) => [`${months} months`, month, ...of(amount)]),
    ]),
  recurring: async (report) =>
    (await report.recurringRevenue()).map(({ seller, subscriptions, opening, added, returned, expanded, contracted, churned, closing }) => [
      seller,
      subscriptions,
      ...of(opening, added, returned, expanded, contracted, churned, closing),
    ]),
  customers: async (report) => {
    const { opening, lost, closing, perCustomer } = await report.payingCustomers();
    return [[opening, lost, closing, ...of(...perCustomer)]];
  },
  payouts: async ({ period }, ctx) => {
    const rows: Rows = [];
    for (const payout of await payoutsOf(ctx, period)) {
      const { id, processor, processorId, status, failure, amountMinor, currency, movedAt } = payout;
      rows.push([id, processor, processorId, movedAt.toISOString(), status, ...of({ amountMinor, currency }), failure]);
      for (const { kind, lines, amount, fees, net } of await payoutSums(ctx, payout))
        rows.push(['', kind, lines, ...of(amount, fees, net)]);
    }
    return rows;
  },
  reconciliation: async ({ period }, ctx) =>
    (await processorBooks(ctx, period)).flatMap(({ processor, readUntil, held, booked, uneven, strange }): Rows => [
      [processor, 'read until', readUntil?.toISOString() ?? null],
      [processor, 'holds', ...of(...held)],
      [processor, 'by our books', ...of(...booked)],
      ...uneven.map((row) => [
        processor,
        row.why,
        row.kind,
        row.payment,
        row.orderId,
        ...of(row.booked, row.moved),
        row.since.toISOString(),
      ]),
      ...strange.map((row) => [processor, 'STRANGE', row.kind, row.processorId, row.words, ...of(row), row.movedAt.toISOString()]),
    ]),
  figures: async ({ period }, ctx) =>
    (await figureSeries(ctx, period, 'MONTH')).map((point) => [
      ...[point.from, point.to, ...of(point.revenue), maybeEach(point.cost), maybeEach(point.margin), ...of(point.recurring)],
      ...[point.customers, point.lost, percent(point.churnBasisPoints), maybeEach(point.perCustomer), `${point.bytes} B`],
    ]),
  margins: async ({ period }, ctx) =>
    (await productFigures(ctx, period)).map((row) => [
      ...[row.seller, row.product, ...of(row.revenue), maybeEach(row.cost), maybeEach(row.margin), percent(row.marginBasisPoints)],
      ...[`${row.costDays} days counted`, row.bytes === null ? `${(row.unitDays ?? 0) / 100} days` : `${row.bytes} B`],
    ]),
  owed: async (report) =>
    (await report.agedReceivables()).map(({ fromDays, orders, amount }) => [`${fromDays} days or more`, orders, ...of(amount)]),
};

const maybeEach = (amount: Money | null) => (amount ? formatMoney(amount) : '-');
const percent = (basisPoints: number | null) => (basisPoints === null ? '-' : `${basisPoints / 100} %`);
const of = (...amounts: Money[]) => amounts.map(formatMoney);
const maybe = (...amounts: (Money | null)[]) => amounts.map((amount) => amount && formatMoney(amount));
const taxRows = (lines: TaxLine[]): Rows =>
  lines.map(({ country, basisPoints, hasTaxId, documents, net, tax, localNet, localTax }) => [
    country,
    `${basisPoints / 100} %`,
    hasTaxId ? 'tax id' : 'no tax id',
    documents,
    ...of(net, tax),
    ...maybe(localNet, localTax),
  ]);

export const FINANCE_COMMANDS: Readonly<Record<string, Command>> = {
  'exchange-rate': {
    permission: 'tax',
    words: 'CURRENCY [--amount 0.8654 --from 2026-01-31 --reference ECB]',
    about: 'what one US dollar is from that day on, by whose word, for the tax on invoices; without a rate: the last ones',
    async run(ctx, { of: currency, amount: perDollar, from, reference: source }) {
      if (perDollar === undefined)
        return table((await lastExchangeRates(ctx, currency)).map((rate) => [rate.day, rate.perDollar, rate.source]));
      if (source === undefined || from === undefined)
        throw new Refusal('Say the day and whose rate it is: --from 2026-01-31 --reference ECB.');
      await noteExchangeRate(ctx, { currency, day: from, perDollar, source });
      return `1 USD is ${perDollar} ${currency} from ${from} on.`;
    },
  },
  finance: {
    permission: 'finance_reports',
    words: `${Object.keys(REPORTS).join('|')} [--from 2026-01-01] [--to 2026-01-31]`,
    about: 'what the books say of these days; without days of this month',
    async run(ctx, words) {
      const report = REPORTS[words.of];
      if (!report) throw new Refusal(`The report is one of ${Object.keys(REPORTS).join(', ')}.`);
      const { from, to } = daysOf(ctx, words);
      return table(await report(financeReport(ctx, from, to), ctx));
    },
  },
  export: {
    permission: 'finance_reports',
    words: `${EXPORT_KINDS.join('|').toLowerCase()} [--format csv|datev] [--from 2026-01-01] [--to 2026-01-31]`,
    about: 'a file of these days; redirect it to one',
    async run(ctx, words) {
      const request = {
        kind: oneOf(EXPORT_KINDS, 'The file', words.of),
        format: oneOf(EXPORT_FORMATS, '--format', words.format ?? 'csv'),
        ...daysOf(ctx, words),
      };
      const parts: string[] = [];
      let part: ExportPart | undefined;
      do {
        part = await financeExport(ctx, { ...request, after: part?.next ?? null });
        parts.push(part.text);
      } while (part.next !== null);
      return parts.join('').trimEnd();
    },
  },
  'reissue-invoice': {
    permission: 'invoices',
    words: 'INVOICE-ID --reason TEXT',
    about: 'cancels an invoice and issues it anew to the buyer of today',
    async run(ctx, { of: id, reason = '' }) {
      const renewed = await reissueInvoice(ctx, { id, reason });
      return `${formatNumber(renewed)} stands in its place.`;
    },
  },
};

function daysOf({ clock }: Context, { from, to }: Words): { from: string; to: string } {
  const today = toDay(clock.now());
  return { from: from ?? `${today.slice(0, 7)}-01`, to: to ?? today };
}
