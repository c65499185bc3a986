// A customer's balance: negative is credit, positive is a debt. Every change is recorded as an entry.
import type Stripe from 'stripe';
import type { Books } from '../books.ts';
import { createId } from '../ids.ts';

/** In cents: the processor charges no smaller amount. */
export const MIN_CHARGE = 50;

export interface BalanceChange {
  /** Minor units; a negative change gives credit. */
  by: number;
  currency: string;
  type: Stripe.CustomerBalanceTransaction['type'];
  invoice?: string;
  creditNote?: string;
  description?: string | null;
  metadata?: Record<string, string>;
}

/** Records a change; null when it is 0. */
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
 * The amount due of an invoice of `total`, after the customer's balance is applied. An amount that is too small to be charged stays as a debt.
 * `ending`: the balance afterwards.
 */
export function settleAgainst(balance: number, total: number): { due: number; ending: number } {
  if (total === 0) return { due: 0, ending: balance };
  const owed = total + balance;
  return total < 0 || owed < MIN_CHARGE ? { due: 0, ending: owed } : { due: owed, ending: 0 };
}
