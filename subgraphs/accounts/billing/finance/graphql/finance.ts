import { builder } from '../../../builder.ts';
import { Invoice } from '../../invoices/graphql/invoice.ts';
import { Money } from '../../ledger/graphql/money.ts';
import { Payout, ProcessorBooks } from '../../payouts/graphql/payouts.ts';
import { payoutsOf, processorBooks } from '../../payouts/services/reconcile.ts';
import { daysOf } from '#platform/day-period.ts';
import { EXPORT_FORMATS, EXPORT_KINDS, type ExportPart, financeExport } from '../services/finance-export.ts';
import {
  type AgedReceivables as AgedReceivablesRow,
  type FinanceReport as FinanceReportShape,
  type DeferredRevenue as DeferredRevenueRow,
  type LedgerBalance as LedgerBalanceRow,
  type PayingCustomers as PayingCustomersRow,
  type ProductSales as ProductSalesRow,
  type RecurringRevenue as RecurringRevenueRow,
  financeReport,
} from '../services/finance-report.ts';
import { reissueInvoice } from '../services/reissue-invoice.ts';
import { oneStopShop, oneStopShopCorrections, recapitulativeStatement, taxReturn } from '../services/tax-returns.ts';
import { RecapitulativeLine, TaxCorrection, TaxLine } from './tax-returns.ts';

const LedgerBalance = builder.objectRef<LedgerBalanceRow>('LedgerBalance').implement({
  fields: (t) => ({
    ledger: t.exposeString('ledger'),
    about: t.exposeString('about'),
    opening: t.expose('opening', { type: Money }),
    debit: t.expose('debit', { type: Money }),
    credit: t.expose('credit', { type: Money }),
    closing: t.expose('closing', { type: Money }),
  }),
});

const ProductSales = builder.objectRef<ProductSalesRow>('ProductSales').implement({
  fields: (t) => ({
    seller: t.exposeString('seller'),
    product: t.exposeString('product'),
    invoices: t.exposeInt('invoices'),
    sold: t.expose('sold', { type: Money }),
    givenBack: t.expose('givenBack', { type: Money }),
    net: t.expose('net', { type: Money }),
  }),
});

const EarnedRevenue = builder.objectRef<DeferredRevenueRow['schedule'][number]>('EarnedRevenue').implement({
  fields: (t) => ({ month: t.exposeString('month'), amount: t.expose('amount', { type: Money }) }),
});

const DeferredRevenue = builder.objectRef<DeferredRevenueRow>('DeferredRevenue').implement({
  fields: (t) => ({
    months: t.exposeInt('months'),
    total: t.expose('total', { type: Money }),
    schedule: t.expose('schedule', { type: [EarnedRevenue] }),
  }),
});

const RecurringRevenue = builder.objectRef<RecurringRevenueRow>('RecurringRevenue').implement({
  fields: (t) => ({
    seller: t.exposeString('seller'),
    subscriptions: t.exposeInt('subscriptions'),
    opening: t.expose('opening', { type: Money }),
    added: t.expose('added', { type: Money }),
    returned: t.expose('returned', { type: Money }),
    expanded: t.expose('expanded', { type: Money }),
    contracted: t.expose('contracted', { type: Money }),
    churned: t.expose('churned', { type: Money }),
    closing: t.expose('closing', { type: Money }),
  }),
});

const PayingCustomers = builder.objectRef<PayingCustomersRow>('PayingCustomers').implement({
  fields: (t) => ({
    opening: t.exposeInt('opening'),
    lost: t.exposeInt('lost'),
    closing: t.exposeInt('closing'),
    churnBasisPoints: t.exposeInt('churnBasisPoints', { nullable: true }),
    perCustomer: t.expose('perCustomer', { type: [Money] }),
  }),
});

const AgedReceivables = builder.objectRef<AgedReceivablesRow>('AgedReceivables').implement({
  fields: (t) => ({
    fromDays: t.exposeInt('fromDays'),
    toDays: t.exposeInt('toDays', { nullable: true }),
    orders: t.exposeInt('orders'),
    amount: t.expose('amount', { type: Money }),
  }),
});

const FinanceReport = builder.objectRef<FinanceReportShape>('FinanceReport').implement({
  fields: (t) => ({
    from: t.field({ type: 'Date', resolve: ({ period }) => daysOf(period).from }),
    to: t.field({ type: 'Date', resolve: ({ period }) => daysOf(period).to }),
    trialBalance: t.field({ type: [LedgerBalance], resolve: (report) => report.trialBalance() }),
    taxReturn: t.field({ type: [TaxLine], resolve: ({ period }, _, ctx) => taxReturn(ctx, period) }),
    oneStopShop: t.field({ type: [TaxLine], resolve: ({ period }, _, ctx) => oneStopShop(ctx, period) }),
    oneStopShopCorrections: t.field({ type: [TaxCorrection], resolve: ({ period }, _, ctx) => oneStopShopCorrections(ctx, period) }),
    recapitulativeStatement: t.field({ type: [RecapitulativeLine], resolve: ({ period }, _, ctx) => recapitulativeStatement(ctx, period) }),
    sales: t.field({ type: [ProductSales], resolve: (report) => report.salesByProduct() }),
    deferredRevenue: t.field({ type: [DeferredRevenue], resolve: (report) => report.deferredRevenue() }),
    recurringRevenue: t.field({ type: [RecurringRevenue], resolve: (report) => report.recurringRevenue() }),
    customers: t.field({ type: PayingCustomers, resolve: (report) => report.payingCustomers() }),
    receivables: t.field({ type: [AgedReceivables], resolve: (report) => report.agedReceivables() }),
    payouts: t.field({ type: [Payout], resolve: ({ period }, _, ctx) => payoutsOf(ctx, period) }),
    processors: t.field({ type: [ProcessorBooks], resolve: ({ period }, _, ctx) => processorBooks(ctx, period) }),
    datev: t.boolean({ resolve: (_period, _, { providers }) => providers.datev !== undefined }),
  }),
});

const FinanceExportKind = builder.enumType('FinanceExportKind', { values: EXPORT_KINDS });
const FinanceExportFormat = builder.enumType('FinanceExportFormat', { values: EXPORT_FORMATS });

const FinanceExportPart = builder
  .objectRef<ExportPart>('FinanceExportPart')
  .implement({ fields: (t) => ({ text: t.exposeString('text'), next: t.exposeID('next', { nullable: true }) }) });

builder.queryFields((t) => ({
  supportFinance: t.field({
    type: FinanceReport,
    authScopes: { staff: 'finance_reports' },
    args: { from: t.arg({ type: 'Date', required: true }), to: t.arg({ type: 'Date', required: true }) },
    resolve: (_, { from, to }, ctx) => financeReport(ctx, from, to),
  }),
  supportFinanceExport: t.field({
    type: FinanceExportPart,
    authScopes: { staff: 'finance_reports' },
    args: {
      kind: t.arg({ type: FinanceExportKind, required: true }),
      format: t.arg({ type: FinanceExportFormat, required: true, defaultValue: 'CSV' }),
      from: t.arg({ type: 'Date', required: true }),
      to: t.arg({ type: 'Date', required: true }),
      after: t.arg.id(),
    },
    resolve: (_, request, ctx) => financeExport(ctx, request),
  }),
}));

builder.mutationField('supportInvoiceReissue', (t) =>
  t.field({
    type: Invoice,
    authScopes: { staff: 'invoices' },
    args: { id: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: (_, input, ctx) => reissueInvoice(ctx, input),
  }),
);
