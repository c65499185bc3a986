import { accountOf, maySee } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import { toLines } from '#commerce/offers.ts';
import { builder } from '../../../builder.ts';
import { type Party, formatNumber } from '../domain/invoice.ts';
import type { Invoice as InvoiceEntity } from '../entities/invoice.ts';
import { invoiceOfOwner, invoicesOfAccount, invoicesOfOrder, invoiceWithId } from '../entities/invoice.ts';
import { settlementsOf } from '../entities/invoice-settlement.ts';
import { type BillingDetails as BillingDetailsRow, detailsOfAccount } from '../entities/billing-details.ts';
import { setBillingDetails } from '../services/billing-details.ts';
import { documentOf } from '../services/invoice-document.ts';
import { Account } from '../../../identity/graphql/account.ts';
import { Money, OfferLine } from '../../ledger/graphql/money.ts';
import { Order } from '../../orders/graphql/order.ts';

const InvoiceKind = builder.enumType('InvoiceKind', { values: ['INVOICE', 'CREDIT_NOTE'] as const });

const InvoiceParty = builder.objectRef<Party>('InvoiceParty').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    address: t.exposeStringList('address'),
    country: t.exposeString('country', { nullable: true }),
    taxId: t.exposeString('taxId', { nullable: true }),
    email: t.exposeString('email', { nullable: true }),
  }),
});

const settledOf = async (em: EntityManager, invoiceId: string): Promise<number> =>
  (await settlementsOf(em, invoiceId)).reduce((sum, { amountMinor }) => sum + amountMinor, 0);

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
    paid: t.field({
      type: Money,
      resolve: async ({ id, currency }, _, { em }) => ({ amountMinor: await settledOf(em, id), currency }),
    }),
    due: t.field({
      type: Money,
      resolve: async ({ id, totalMinor, currency }, _, { em }) => ({ amountMinor: totalMinor - (await settledOf(em, id)), currency }),
    }),
    orderId: t.exposeID('orderId', { nullable: true }),
    corrects: t.field({
      type: Invoice,
      nullable: true,
      resolve: ({ correctsId: id }, _, { em }) => (id ? invoiceWithId(em, id) : null),
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

const BillingDetails = builder.objectRef<BillingDetailsRow>('BillingDetails').implement({
  fields: (t) => ({
    name: t.exposeString('name'),
    address: t.exposeStringList('address'),
    country: t.exposeString('country'),
    taxId: t.exposeString('taxId', { nullable: true }),
  }),
});

builder.objectFields(Account, (t) => ({
  invoices: t.field({
    type: [Invoice],
    authScopes: { account: 'billing' },
    resolve: ({ id }, _, { em }) => invoicesOfAccount(em, id),
  }),
  billingDetails: t.field({
    type: BillingDetails,
    nullable: true,
    authScopes: { account: 'billing' },
    resolve: ({ id: accountId }, _, { em }) => detailsOfAccount(em, accountId),
  }),
}));

builder.objectField(Order, 'invoices', (t) =>
  t.field({
    type: [Invoice],
    resolve: ({ id: orderId }, _, { em }) => invoicesOfOrder(em, orderId),
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

const BillingDetailsInput = builder.inputType('BillingDetailsInput', {
  fields: (t) => ({
    name: t.string({ required: true }),
    address: t.stringList({ required: true }),
    country: t.string({ required: true }),
    taxId: t.string(),
  }),
});

builder.mutationField('billingDetailsSet', (t) =>
  t.field({
    type: BillingDetails,
    authScopes: { session: true },
    args: { input: t.arg({ type: BillingDetailsInput, required: true }) },
    resolve: (_, { input }, ctx) => setBillingDetails(ctx, input),
  }),
);
