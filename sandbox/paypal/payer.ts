// People with a PayPal account, each identified by an e-mail address.
import { type Books, newPayerId } from './books.ts';
import type { Funding, Payer } from './state.ts';

/** Finds or creates the payer. `funding` applies from now on, also to what the payer has saved. */
export function payerBy(books: Books, email: string, funding: Funding): Payer {
  const known = Object.values(books.state.payers).find((payer) => payer.email === email);
  const payer = known ?? { id: newPayerId(), email, country: 'US', funding };
  payer.funding = funding;
  books.state.payers[payer.id] = payer;
  books.changed();
  return payer;
}
