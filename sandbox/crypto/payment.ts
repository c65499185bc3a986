// What changes an invoice: payments, blocks, time, and support. The rules are those that the processor documents.
import { randomBytes } from 'node:crypto';
import type { Books } from './books.ts';
import { minCents, marksOf, paidCents, toPaymentData } from './invoice.ts';
import { CONFIRMATIONS, PAYMENT_METHOD } from './store.ts';
import type { CryptoInvoice, CryptoPayment } from './state.ts';

/** A transaction appears. After the expiry it is recorded but no longer changes the invoice's status. */
export function receive(books: Books, invoice: CryptoInvoice, cents: number): CryptoPayment {
  const payment: CryptoPayment = {
    id: `${randomBytes(32).toString('hex')}-0`,
    receivedAt: books.now(),
    cents,
    confirmations: 0,
    settled: false,
    late: invoice.status === 'Expired' || invoice.status === 'Invalid',
  };
  invoice.payments.push(payment);
  books.emit('InvoiceReceivedPayment', invoice, paymentFacts(invoice, payment));
  const paid = paidCents(invoice);
  const full = paid >= minCents(invoice);
  if (payment.late) {
    if (full) invoice.additionalStatus = 'PaidLate';
  } else if (!full) {
    invoice.additionalStatus = 'PaidPartial';
  } else {
    const overPaid = paid > invoice.cents;
    if (invoice.additionalStatus !== 'Marked') invoice.additionalStatus = overPaid ? 'PaidOver' : 'None';
    if (invoice.status === 'New') {
      invoice.status = 'Processing';
      books.emit('InvoiceProcessing', invoice, { overPaid });
    }
  }
  books.changed();
  confirm(books, invoice, 0);
  return payment;
}

/** `blocks` more blocks are found. A payment with enough confirmations is settled, and so is an invoice whose settled payments suffice. */
export function confirm(books: Books, invoice: CryptoInvoice, blocks: number): void {
  const needed = CONFIRMATIONS[invoice.checkout.speedPolicy];
  for (const payment of invoice.payments) {
    if (payment.dropped) continue;
    payment.confirmations += blocks;
    if (payment.settled || payment.confirmations < needed) continue;
    payment.settled = true;
    books.emit('InvoicePaymentSettled', invoice, paymentFacts(invoice, payment));
  }
  const settled = invoice.payments.filter((payment) => payment.settled && !payment.late).reduce((sum, { cents }) => sum + cents, 0);
  if (invoice.status === 'Processing' && settled >= minCents(invoice)) {
    invoice.status = 'Settled';
    books.emit('InvoiceSettled', invoice, { manuallyMarked: false, overPaid: paidCents(invoice) > invoice.cents });
  }
  books.changed();
}

/** Support marks the invoice. Returns false when that is no longer possible. */
export function mark(books: Books, invoice: CryptoInvoice, status: 'Settled' | 'Invalid'): boolean {
  if (!marksOf(invoice).includes(status)) return false;
  invoice.status = status;
  invoice.additionalStatus = 'Marked';
  if (status === 'Settled') books.emit('InvoiceSettled', invoice, { manuallyMarked: true, overPaid: paidCents(invoice) > invoice.cents });
  else books.emit('InvoiceInvalid', invoice, { manuallyMarked: true });
  return true;
}

/** A transaction that is in no block for so long is forgotten by nodes (Bitcoin Core 28, kernel/mempool_options.h: 336 hours), in seconds. */
const MEMPOOL_EXPIRY = 336 * 3_600;

/** The last time that was processed, so that a clock that stands still costs nothing. */
const seen = new WeakMap<Books, number>();

/** Unpaid invoices expire; invoices whose payment is not confirmed within the monitoring time become invalid; unconfirmed payments are dropped. */
export function passTime(books: Books): void {
  const now = books.now();
  if (seen.get(books) === now) return;
  seen.set(books, now);
  for (const invoice of Object.values(books.state.invoices)) {
    if (invoice.status === 'New' && invoice.expiresAt <= now) books.asOf(invoice.expiresAt, () => expire(books, invoice));
    if (invoice.status === 'Processing' && invoice.monitoredUntil <= now) books.asOf(invoice.monitoredUntil, () => giveUp(books, invoice));
    for (const payment of invoice.payments)
      if (payment.confirmations === 0 && payment.receivedAt + MEMPOOL_EXPIRY <= now) payment.dropped = true;
  }
}

function expire(books: Books, invoice: CryptoInvoice): void {
  invoice.status = 'Expired';
  books.emit('InvoiceExpired', invoice, { partiallyPaid: invoice.payments.length > 0 });
}

function giveUp(books: Books, invoice: CryptoInvoice): void {
  invoice.status = 'Invalid';
  books.emit('InvoiceInvalid', invoice, { manuallyMarked: false });
}

const paymentFacts = (invoice: CryptoInvoice, payment: CryptoPayment): object => ({
  afterExpiration: payment.late,
  paymentMethodId: PAYMENT_METHOD,
  payment: toPaymentData(invoice, payment),
});
