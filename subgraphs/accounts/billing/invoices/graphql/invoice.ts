import { accountOf, maySee } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import { batched, grouped } from '#platform/batched.ts';
import { type IdPage, pageById } from '#platform/id-page.ts';
import { searchWords } from '#platform/search-words.ts';
import { toLines } from '#commerce/offers.ts';
import { builder } from '../../../builder.ts';
import { INVOICE_KINDS, formatNumber } from '../domain/invoice.ts';
import type { Invoice as InvoiceEntity } from '../entities/invoice.ts';
import { invoiceOfOwner, invoicesOfAccount, invoicesOfOrders, invoiceWithId, pageOfInvoices } from '../entities/invoice.ts';
import { settlementsOfAll } from '../entities/invoice-settlement.ts';
import type { Party } from '../../tax/domain/taxed-buyer.ts';
import type { LocalTax as LocalTaxShape } from '../../tax/domain/local-tax.ts';
import { REVERSE_CHARGE } from '../../tax/domain/tax-rule.ts';
import { documentOf } from '../services/invoice-document.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { Money, OfferLine } from '../../ledger/graphql/money.ts';
import { Order } from '../../orders/graphql/order.ts';

const InvoiceKind = builder.enumType('InvoiceKind', { values: INVOICE_KINDS });

const InvoiceParty = builder.objectRef<Party>('InvoiceParty').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    address: t.exposeStringList('address'),
    country: t.exposeString('country', { nullable: true }),
    taxId: t.exposeString('taxId', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
  }),
});

const LocalTax = builder.objectRef<LocalTaxShape>('LocalTax').implement({
  fields: (t) => ({
    amount: t.field({ type: Money, resolve: ({ amountMinor, currency }) => ({ amountMinor, currency }) }),
    perDollar: t.exposeString('perDollar'),
    day: t.exposeString('day'),
    source: t.exposeString('source'),
  }),
});

const settlementsOfOne = batched(async (em, ids) => grouped(await settlementsOfAll(em, ids), ids, ({ invoiceId }) => invoiceId));
const invoicesOfOne = batched(async (em, ids) => grouped(await invoicesOfOrders(em, ids), ids, ({ orderId }) => orderId));

/** What settles an invoice, and what of that has not come and is let go. */
async function settledOf(em: EntityManager, invoiceId: string): Promise<{ wholeMinor: number; shortMinor: number }> {
  const settlements = await settlementsOfOne(em, invoiceId);
  return {
    wholeMinor: settlements.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
    shortMinor: settlements.reduce((sum, { shortMinor }) => sum + shortMinor, 0),
  };
}

export const Invoice = builder.objectRef<InvoiceEntity>('Invoice');
Invoice.implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    number: t.string({ resolve: (invoice) => formatNumber(invoice) }),
    kind: t.expose('kind', { type: InvoiceKind }),
    issuedAt: t.expose('issuedAt', { type: 'DateTime' }),
    note: t.exposeString('note'),
    periodStart: t.expose('periodStart', { type: 'DateTime', nullable: true }),
    periodEnd: t.expose('periodEnd', { type: 'DateTime', nullable: true }),
    seller: t.expose('seller', { type: InvoiceParty }),
    buyer: t.expose('buyer', { type: InvoiceParty }),
    lines: t.field({ type: [OfferLine], resolve: ({ lines, currency }) => toLines(lines, currency) }),
    subtotal: t.field({ type: Money, resolve: ({ subtotalMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    taxBasisPoints: t.exposeInt('taxBasisPoints'),
    tax: t.field({ type: Money, resolve: ({ taxMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    total: t.field({ type: Money, resolve: ({ totalMinor: amountMinor, currency }) => ({ amountMinor, currency }) }),
    reverseCharge: t.exposeBoolean('reverseCharge'),
    localTax: t.expose('localTax', { type: LocalTax, nullable: true }),
    taxNote: t.string({ nullable: true, resolve: ({ reverseCharge }) => (reverseCharge ? REVERSE_CHARGE : null) }),
    paid: t.field({
      type: Money,
      async resolve({ id, currency }, _, { em }) {
        const { wholeMinor, shortMinor } = await settledOf(em, id);
        return { amountMinor: wholeMinor - shortMinor, currency };
      },
    }),
    letGo: t.field({
      type: Money,
      resolve: async ({ id, currency }, _, { em }) => ({ amountMinor: (await settledOf(em, id)).shortMinor, currency }),
    }),
    due: t.field({
      type: Money,
      async resolve({ id, totalMinor, currency }, _, { em }) {
        return { amountMinor: totalMinor - (await settledOf(em, id)).wholeMinor, currency };
      },
    }),
    orderId: t.exposeID('orderId', { nullable: true }),
    corrects: t.field({
      type: Invoice,
      nullable: true,
      resolve: ({ correctsId: id }, _, { em }) => (id ? invoiceWithId(em, id) : null),
    }),
    replaces: t.field({
      type: Invoice,
      nullable: true,
      resolve: ({ replacesId: id }, _, { em }) => (id ? invoiceWithId(em, id) : null),
    }),
    downloadPath: t.string({ resolve: ({ id }) => `/invoices/${id}.pdf` }),
  }),
});

builder.asEntity(Invoice, {
  key: builder.selection<{ id: string }>('id'),
  async resolveReference({ id }, { em, viewer }) {
    if (viewer.kind === 'key' && !viewer.scopes.includes('billing')) return null;
    const invoice = await invoiceWithId(em, id);
    return invoice && maySee(viewer, invoice.accountId) ? invoice : null;
  },
});

const InvoicePage = builder
  .objectRef<IdPage<InvoiceEntity>>('InvoicePage')
  .implement({ fields: (t) => ({ items: t.expose('items', { type: [Invoice] }), next: t.exposeID('next', { nullable: true }) }) });

builder.objectFields(Account, (t) => ({
  invoices: t.field({
    type: [Invoice],
    deprecationReason: 'Since 2026-11-28: invoicePage has them page after page. Removed on 2027-11-28 at the earliest.',
    authScopes: { account: 'billing' },
    resolve: ({ id }, _, { em }) => invoicesOfAccount(em, id),
  }),
  invoicePage: t.field({
    type: InvoicePage,
    authScopes: { account: 'billing' },
    args: { first: t.arg.int({ required: true, defaultValue: 25 }), after: t.arg.id(), search: t.arg.string() },
    resolve: ({ id }, { search, ...asked }, { em }) =>
      pageById(asked, (limit, after) => pageOfInvoices(em, id, limit, { after, search: searchWords(search) })),
  }),
}));

builder.objectField(Order, 'invoices', (t) =>
  t.field({
    type: [Invoice],
    resolve: ({ id: orderId }, _, { em }) => invoicesOfOne(em, orderId),
  }),
);

const InvoiceDocument = builder.objectRef<{ fileName: string; pdf: Buffer }>('InvoiceDocument').implement({
  inaccessible: true,
  fields: (t) => ({ fileName: t.exposeString('fileName'), base64: t.string({ resolve: ({ pdf }) => pdf.toString('base64') }) }),
});

builder.queryFields((t) => ({
  invoice: t.field({
    type: Invoice,
    nullable: true,
    authScopes: { account: 'billing' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => invoiceOfOwner(ctx.em, id, accountOf(ctx)),
  }),
  invoiceDocument: t.field({
    type: InvoiceDocument,
    inaccessible: true,
    authScopes: { system: true },
    args: { id: t.arg.id({ required: true }), accountId: t.arg.id() },
    resolve: (_, input, ctx) => documentOf(ctx, input),
  }),
}));
