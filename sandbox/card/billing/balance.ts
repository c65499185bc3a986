// A customer's balance: negative is credit, positive is owed. Every change is an entry of its own.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { createId } from '../ids.ts';

/** The processor charges nothing below 50 cents. */
export const MIN_CHARGE = 50;

export interface BalanceChange {
  /** Minor units; negative gives credit. */
  by: number;
  currency: string;
  type: Stripe.CustomerBalanceTransaction['type'];
  invoice?: string;
  creditNote?: string;
  description?: string | null;
  metadata?: Record<string, string>;
}

/** Enters a change; nothing when it is 0. */
export function changeBalance(books: Books, customer: Stripe.Customer, change: BalanceChange): Stripe.CustomerBalanceTransaction | null {
  if (change.by === 0) return null;
  customer.balance += change.by;
  customer.currency ??= change.currency;
  const entry: Stripe.CustomerBalanceTransaction = {
    id: createId('cbtxn'),
    object: 'customer_balance_transaction',
    amount: change.by,
    checkout_session: null,
    created: books.now(),
    credit_note: change.creditNote ?? null,
    currency: change.currency,
    customer: customer.id,
    customer_account: null,
    description: change.description ?? null,
    ending_balance: customer.balance,
    invoice: change.invoice ?? null,
    livemode: false,
    metadata: change.metadata ?? {},
    type: change.type,
  };
  books.state.balanceTransactions[entry.id] = entry;
  books.changed();
  return entry;
}

/**
 * What an invoice of `total` asks for, with the customer's balance applied. What is too small to be charged stays owed.
 * `ending` is the balance after it.
 */
export function settleAgainst(balance: number, total: number): { due: number; ending: number } {
  if (total === 0) return { due: 0, ending: balance };
  const owed = total + balance;
  return total < 0 || owed < MIN_CHARGE ? { due: 0, ending: owed } : { due: owed, ending: 0 };
}
