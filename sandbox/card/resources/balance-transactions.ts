// Read access to a customer's balance entries and to the payments of invoices.
import type Stripe from 'stripe';
import { changeBalance } from '../billing/balance.ts';
import { invalid, noSuch } from '../fault.ts';
import { datedPageFields, pageFields, pageOf } from '../list.ts';
import { mergeMetadata } from '../metadata.ts';
import { currency } from '../prices.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, integer, metadata, needed, oneOf, text } from '../shape.ts';
import { rowOf } from '../state.ts';
import { findCustomer } from '../customer.ts';

const createInput = fieldsOf<Stripe.CustomerCreateBalanceTransactionParams>()({
  amount: needed(integer(-99_999_999, 99_999_999)),
  currency: needed(currency),
  description: text(350),
  metadata,
});
const paymentListInput = fieldsOf<Stripe.InvoicePaymentListParams>()({
  ...datedPageFields,
  invoice: text(),
  payment: fieldsOf<Stripe.InvoicePaymentListParams.Payment>()({ type: needed(oneOf('payment_intent')), payment_intent: text() }),
  status: oneOf('canceled', 'open', 'paid'),
});

export const balanceRoutes = [
  route('POST', '/v1/customers/:id/balance_transactions', createInput, ({ books, ids, input }) => {
    const customer = findCustomer(books, ids['id'] ?? '');
    if (customer.currency && customer.currency !== input.currency) {
      throw invalid(`This customer's currency is ${customer.currency}.`, undefined, 'currency');
    }
    const entry = changeBalance(books, customer, {
      by: input.amount,
      currency: input.currency,
      type: 'adjustment',
      description: input.description ?? null,
      metadata: mergeMetadata({}, input.metadata ?? {}),
    });
    if (!entry) throw invalid('The amount must not be 0.', 'parameter_invalid_integer', 'amount');
    return entry;
  }),
  route('GET', '/v1/customers/:id/balance_transactions', fields(pageFields), ({ books, ids, input }) => {
    const customer = findCustomer(books, ids['id'] ?? '');
    const found = Object.values(books.state.balanceTransactions).filter((entry) => entry.customer === customer.id);
    return pageOf(`/v1/customers/${customer.id}/balance_transactions`, found, input);
  }),
  route('GET', '/v1/customers/:id/balance_transactions/:entry', fields({}), ({ books, ids }) => {
    const entry = rowOf(books.state.balanceTransactions, ids['entry'] ?? '');
    if (entry?.customer !== ids['id']) throw noSuch('customer_balance_transaction', ids['entry'] ?? '');
    return entry as Stripe.CustomerBalanceTransaction;
  }),
  route('GET', '/v1/invoice_payments', paymentListInput, ({ books, input }) => {
    const found = Object.values(books.state.invoicePayments).filter(
      (one) =>
        (input.invoice === undefined || one.invoice === input.invoice) &&
        (input.payment?.payment_intent === undefined || one.payment.payment_intent === input.payment.payment_intent) &&
        (input.status === undefined || one.status === input.status) &&
        (input.created?.(one.created) ?? true),
    );
    return pageOf('/v1/invoice_payments', found, input);
  }),
];
