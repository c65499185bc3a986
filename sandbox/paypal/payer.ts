// People with a PayPal account, each by the address of their e-mail.
import { type Books, newPayerId } from './books.ts';
import type { Funding, Payer } from './state.ts';

/** Theirs from now on is `funding`, for what was saved too. */
export function payerBy(books: Books, email: string, funding: Funding): Payer {
  const known = Object.values(books.state.payers).find((payer) => payer.email === email);
  const payer = known ?? { id: newPayerId(), email, country: 'US', funding };
  payer.funding = funding;
  books.state.payers[payer.id] = payer;
  books.changed();
  return payer;
}
