// Signed offers: the product's subgraph prices, accounts sells what is signed, and the preview is the charge.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Clock, MINUTE, after } from './clock.ts';
import { fail } from './errors.ts';
import type { Money } from './money.ts';

/** Spec is silent: an offer is valid for 15 minutes. */
export const OFFER_VALID_MS = 15 * MINUTE;

export interface OfferLine {
  label: string;
  quantity: number;
  amountMinor: number;
}

/** What is sold, to whom, for how much. `fulfil` means something only to the subgraph named by `seller`. */
export interface OfferTerms {
  id: string;
  accountId: string;
  seller: 'residential' | 'static' | 'compute';
  title: string;
  lines: OfferLine[];
  currency: string;
  subtotalMinor: number;
  /** Of the subtotal; hundredths of a percent. */
  taxBasisPoints: number;
  taxMinor: number;
  totalMinor: number;
  fulfil: Record<string, unknown>;
  expiresAt: string;
}

const mac = (secret: string, body: string) => createHmac('sha256', secret).update('offer.').update(body).digest('base64url');

/** Adds up the lines, taxes the sum once (`taxBasisPoints`, half up) and sets the expiry. Amounts in minor units. */
export function priceOffer(
  terms: Omit<OfferTerms, 'subtotalMinor' | 'taxBasisPoints' | 'taxMinor' | 'totalMinor' | 'expiresAt'>,
  taxBasisPoints: number,
  clock: Clock,
): OfferTerms {
  const subtotalMinor = terms.lines.reduce((sum, line) => sum + line.amountMinor, 0);
  const taxMinor = Math.floor((subtotalMinor * taxBasisPoints + 5_000) / 10_000);
  return {
    ...terms,
    subtotalMinor,
    taxBasisPoints,
    taxMinor,
    totalMinor: subtotalMinor + taxMinor,
    expiresAt: after(clock.now(), OFFER_VALID_MS).toISOString(),
  };
}

/** The offer as the customer carries it from the product to the till. */
export function signOffer(terms: OfferTerms, secret: string): string {
  const body = Buffer.from(JSON.stringify(terms)).toString('base64url');
  return `${body}.${mac(secret, body)}`;
}

/** The terms of a signed offer. Throws `offer_invalid` (altered, or another account's) or `offer_expired`. */
export function openOffer(token: string, accountId: string, secret: string, clock: Clock): OfferTerms {
  const [body, signature] = token.split('.');
  if (body === undefined || signature === undefined) throw fail('offer_invalid');
  const expected = Buffer.from(mac(secret, body));
  const given = Buffer.from(signature);
  if (expected.length !== given.length || !timingSafeEqual(expected, given)) throw fail('offer_invalid');
  const terms = JSON.parse(Buffer.from(body, 'base64url').toString()) as OfferTerms;
  if (terms.accountId !== accountId) throw fail('offer_invalid');
  if (terms.expiresAt <= clock.now().toISOString()) throw fail('offer_expired');
  return terms;
}

/** The GraphQL type Offer. */
export const toOffer = (terms: OfferTerms, secret: string) => {
  const money = (amountMinor: number): Money => ({ amountMinor, currency: terms.currency });
  return {
    token: signOffer(terms, secret),
    title: terms.title,
    lines: terms.lines.map(({ label, quantity, amountMinor }) => ({ label, quantity, amount: money(amountMinor) })),
    subtotal: money(terms.subtotalMinor),
    tax: money(terms.taxMinor),
    total: money(terms.totalMinor),
    expiresAt: new Date(terms.expiresAt),
  };
};
