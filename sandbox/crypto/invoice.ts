// Invoices: their creation, and the form in which the API returns them.
import type { z } from 'zod';
import type { Books } from './books.ts';
import type { createInvoiceInput } from './input.ts';
import { RATE, toCoins, toDecimal } from './money.ts';
import { CRYPTO_STORE_ID, CURRENCY, EXPIRATION_MINUTES, MONITORING_MINUTES, newDestination, newId, PAYMENT_METHOD } from './store.ts';
import type { CryptoInvoice, CryptoPayment, InvoiceStatus } from './state.ts';

export function createInvoice(books: Books, input: z.output<typeof createInvoiceInput>): CryptoInvoice {
  const now = books.now();
  const { checkout, receipt } = input;
  const expiration = checkout?.expirationMinutes ?? EXPIRATION_MINUTES;
  const monitoring = checkout?.monitoringMinutes ?? MONITORING_MINUTES;
  const invoice: CryptoInvoice = {
    id: newId(),
    amount: input.amount.text,
    cents: input.amount.cents,
    metadata: input.metadata ?? {},
    searchTerms: input.additionalSearchTerms ?? [],
    checkout: {
      speedPolicy: checkout?.speedPolicy ?? 'MediumSpeed',
      paymentMethods: checkout?.paymentMethods ?? [PAYMENT_METHOD],
      defaultPaymentMethod: checkout?.defaultPaymentMethod ?? null,
      lazyPaymentMethods: checkout?.lazyPaymentMethods ?? null,
      expirationMinutes: expiration,
      monitoringMinutes: monitoring,
      paymentTolerance: checkout?.paymentTolerance ?? 0,
      redirectURL: checkout?.redirectURL ?? null,
      redirectAutomatically: checkout?.redirectAutomatically ?? false,
      defaultLanguage: checkout?.defaultLanguage ?? null,
    },
    receipt: { enabled: receipt?.enabled ?? null, showQR: receipt?.showQR ?? null, showPayments: receipt?.showPayments ?? null },
    createdAt: now,
    expiresAt: now + expiration * 60,
    monitoredUntil: now + (expiration + monitoring) * 60,
    status: 'New',
    additionalStatus: 'None',
    archived: false,
    destination: newDestination(),
    payments: [],
  };
  books.state.invoices[invoice.id] = invoice;
  books.emit('InvoiceCreated', invoice);
  return invoice;
}

export const paidCents = ({ payments }: CryptoInvoice): number =>
  payments.filter(({ dropped }) => !dropped).reduce((sum, payment) => sum + payment.cents, 0);

/** The smallest amount that counts as paid in full, since a percentage may be missing. */
export const minCents = ({ cents, checkout }: CryptoInvoice): number => Math.ceil((cents * (100 - checkout.paymentTolerance)) / 100);

/** The statuses with which support may still mark an invoice, by its present status. */
const MARKS: Record<InvoiceStatus, InvoiceStatus[]> = {
  New: ['Settled', 'Invalid'],
  Processing: ['Settled', 'Invalid'],
  Expired: ['Settled', 'Invalid'],
  Invalid: ['Settled'],
  Settled: ['Invalid'],
};

export const marksOf = ({ status }: CryptoInvoice): InvoiceStatus[] => MARKS[status];

/** `InvoiceData` of the API. */
export const toInvoiceData = (books: Books, invoice: CryptoInvoice): Record<string, unknown> => ({
  id: invoice.id,
  storeId: CRYPTO_STORE_ID,
  amount: invoice.amount,
  paidAmount: toDecimal(paidCents(invoice)),
  currency: CURRENCY,
  type: 'Standard',
  checkoutLink: `${books.url()}/i/${invoice.id}`,
  createdTime: invoice.createdAt,
  expirationTime: invoice.expiresAt,
  monitoringExpiration: invoice.monitoredUntil,
  status: invoice.status,
  additionalStatus: invoice.additionalStatus,
  availableStatusesForManualMarking: marksOf(invoice),
  archived: invoice.archived,
  metadata: invoice.metadata,
  checkout: invoice.checkout,
  receipt: invoice.receipt,
});

/** `Payment` of the API. */
export const toPaymentData = (invoice: CryptoInvoice, payment: CryptoPayment): Record<string, unknown> => ({
  id: payment.id,
  receivedDate: payment.receivedAt,
  value: toCoins(payment.cents),
  fee: '0.00000000',
  status: payment.dropped ? 'Invalid' : payment.settled ? 'Settled' : 'Processing',
  destination: invoice.destination,
});

/** `InvoicePaymentMethodDataModel` of the API, the store's only one. */
export const toPaymentMethodData = (invoice: CryptoInvoice, onlyAccounted = false): Record<string, unknown> => {
  const paid = paidCents(invoice);
  const payments = onlyAccounted ? invoice.payments.filter((payment) => payment.settled) : invoice.payments;
  return {
    paymentMethodId: PAYMENT_METHOD,
    currency: 'BTC',
    destination: invoice.destination,
    paymentLink: `bitcoin:${invoice.destination}?amount=${toCoins(Math.max(0, invoice.cents - paid))}`,
    rate: RATE,
    paymentMethodPaid: toCoins(paid),
    totalPaid: toCoins(paid),
    due: toCoins(invoice.cents - paid),
    amount: toCoins(invoice.cents),
    paymentMethodFee: '0.00000000',
    payments: payments.map((payment) => toPaymentData(invoice, payment)),
    activated: true,
    additionalData: {},
  };
};
