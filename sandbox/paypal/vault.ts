// The vault: agreements of payers to future charges. vault_payment_tokens_v3.json
import type { z } from 'zod';
import { DAY } from '#platform/clock.ts';
import { type Books, found, newId } from './books.ts';
import type { paymentTokenInput, setupTokenInput } from './input.ts';
import { unprocessable } from './problem.ts';
import { link, payerOf } from './shape.ts';
import type { PaymentToken, SetupToken } from './state.ts';

/** "A setup token ... expires in 3 days": developer.paypal.com/docs/multiparty/checkout/save-payment-methods */
const SETUP_LIVES_MS = 3 * DAY;
/** `customer.id`: at most 22 characters, chosen by PayPal. */
const newCustomerId = (): string => `cust_${newId(16)}`;

export function makeSetupToken(books: Books, { customer, payment_source: source }: z.output<typeof setupTokenInput>): object {
  const { return_url: returnUrl, cancel_url: cancelUrl } = source.paypal.experience_context;
  const token: SetupToken = {
    id: newId(),
    customerId: customer?.id ?? newCustomerId(),
    status: 'PAYER_ACTION_REQUIRED',
    createdAt: books.now(),
    returnUrl,
    cancelUrl,
    payerId: undefined,
  };
  books.state.setupTokens[token.id] = token;
  books.changed();
  return showSetupToken(books, token);
}

export function setupTokenOf(books: Books, id: string | undefined): SetupToken {
  const token = found(books.state.setupTokens, id);
  if (token.createdAt + SETUP_LIVES_MS <= books.now()) return found({}, id);
  return token;
}

export const showSetupToken = (books: Books, { id, status, customerId, payerId }: SetupToken): object => ({
  id,
  status,
  customer: { id: customerId },
  payment_source: { paypal: { usage_type: 'MERCHANT', ...emailOf(books, payerId) } },
  links: [
    link(`${books.url()}/v3/vault/setup-tokens/${id}`, 'self'),
    ...(status === 'PAYER_ACTION_REQUIRED' ? [link(`${books.url()}/agreements/approve?approval_session_id=${id}`, 'approve')] : []),
  ],
});

const emailOf = (books: Books, payerId: string | undefined) => {
  const payer = payerOf(books, payerId);
  return payer && { email_address: payer.email, payer_id: payer.id, account_id: payer.id };
};

/** Exchanges an approved setup token for a payment token, once. */
export function exchange(books: Books, { payment_source: source, customer }: z.output<typeof paymentTokenInput>): object {
  const token = setupTokenOf(books, source.token.id);
  if (token.status !== 'APPROVED' || !token.payerId) throw unprocessable('INVALID_SETUP_TOKEN', '/payment_source/token/id');
  if (customer?.id !== undefined && customer.id !== token.customerId) throw unprocessable('MISMATCHED_CUSTOMER_ID', '/customer/id');
  token.status = 'VAULTED';
  return showToken(books, makeToken(books, { customerId: token.customerId, payerId: token.payerId }));
}

/** The same payer of the same customer has only one token: `permit_multiple_payment_tokens` is false by default. */
export function makeToken(books: Books, { customerId, payerId }: { customerId: string | undefined; payerId: string }): PaymentToken {
  const known = Object.values(books.state.paymentTokens).find((token) => token.customerId === customerId && token.payerId === payerId);
  if (known) return known;
  const token = { id: newId(17).toLowerCase(), customerId: customerId ?? newCustomerId(), payerId, createdAt: books.now() };
  books.state.paymentTokens[token.id] = token;
  books.emit('VAULT.PAYMENT-TOKEN.CREATED', 'payment_token', showToken(books, token));
  return token;
}

export const showToken = (books: Books, { id, customerId, payerId }: PaymentToken): object => ({
  id,
  customer: { id: customerId },
  payment_source: { paypal: { usage_type: 'MERCHANT', customer_type: 'CONSUMER', ...emailOf(books, payerId) } },
  links: [
    link(`${books.url()}/v3/vault/payment-tokens/${id}`, 'self'),
    link(`${books.url()}/v3/vault/payment-tokens/${id}`, 'delete', 'DELETE'),
  ],
});

/** Removed by the merchant, or by the payer in PayPal's settings. Removing an unknown token is answered with 204 too. */
export function removeToken(books: Books, id: string): void {
  const token = books.state.paymentTokens[id];
  if (!token) return;
  delete books.state.paymentTokens[id];
  books.emit('VAULT.PAYMENT-TOKEN.DELETED', 'payment_token', showToken(books, token));
}
