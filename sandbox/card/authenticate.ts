// The customer passes or fails the bank's authentication, which ends an intent's `requires_action`.
import type Stripe from 'stripe';
import { attempt, failAuthentication } from './attempt.ts';
import { conclude } from './billing/collect.ts';
import type { Books } from './books.ts';
import { noSuch } from './fault.ts';
import { confirmSetup } from './setup.ts';
import { rowOf } from './state.ts';

export type Challenged = Stripe.PaymentIntent | Stripe.SetupIntent;

export function findChallenged(books: Books, id: string): Challenged {
  const intent = rowOf(books.state.intents, id) ?? rowOf(books.state.setupIntents, id);
  if (!intent) throw noSuch('payment_intent', id);
  return intent;
}

/** Returns the intent afterwards; an intent that does not wait for the customer stays unchanged. */
export function authenticate(books: Books, id: string, passed: boolean): Challenged {
  const intent = findChallenged(books, id);
  const method = rowOf(books.state.paymentMethods, String(intent.payment_method));
  if (intent.status !== 'requires_action' || !method) return intent;
  if (intent.object === 'setup_intent') {
    confirmSetup(books, intent, method, { authenticated: passed });
    return intent;
  }
  const terms = { offSession: false, authenticated: true, email: intent.receipt_email };
  conclude(books, intent, method, passed ? attempt(books, intent, method, terms) : failAuthentication(books, intent, method));
  return intent;
}
