// Signed offers: the product's subgraph prices, accounts sells what is signed, and the preview is the charge.
import { type Clock, DAY, MINUTE, after } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import { type SigningKeys, openJson, signJson } from '#platform/mac.ts';
import type { Seller } from '../../../schema/subgraphs.ts';
import { type Money, divideHalfUp } from './money.ts';

/** Spec is silent: an offer is valid for 15 minutes. */
export const OFFER_VALID_MS = 15 * MINUTE;
/** Spec is silent: what sales has priced for an account stands for up to so many days. */
const MAX_CUSTOM_DAYS = 30;

/** How long a price made by sales stands. Errors: parameter_invalid. */
export function customValidMs(days: number): number {
  if (days >= 1 && days <= MAX_CUSTOM_DAYS) return days * DAY;
  throw fail('parameter_invalid', { field: 'validDays', reason: because('custom_offer_days', { max: MAX_CUSTOM_DAYS }) });
}

export interface OfferLine {
  label: string;
  quantity: number;
  amountMinor: number;
}

/** What recurs: the subscription that an order starts, or with `basedOn` the one that it changes. */
export interface OfferSubscription {
  /** `sub_...`, drawn by the seller when it prices. */
  id: string;
  months: 1 | 3 | 6;
  /** What it is called from now on; absent: the title of the order that starts it, or as before. */
  title?: string;
  /** For a whole period, before tax. Of a change: what recurs from now on; the offer's own lines are what it costs now. */
  lines: OfferLine[];
  /** The version of the subscription that the price was made from. Once that has moved on, the offer is not sold. */
  basedOn?: number;
}

/** What is sold, to whom, for how much. `fulfil` means something only to the subgraph named by `seller`. */
export interface OfferTerms {
  id: string;
  accountId: string;
  seller: Seller;
  title: string;
  /** What of the catalogue it is, such as `vps.PLANK`; absent: a change, what sales has priced, or an offer of an earlier release. */
  item?: string;
  lines: OfferLine[];
  currency: string;
  subtotalMinor: number;
  /** Of the subtotal; hundredths of a percent. */
  taxBasisPoints: number;
  taxMinor: number;
  totalMinor: number;
  subscription?: OfferSubscription;
  /** Account credit that paying grants, before tax, for something that is given back: its tax is added. */
  creditMinor?: number;
  fulfil: Record<string, unknown>;
  /** The seller holds stock for it once it is ordered, and says so (`<seller>_stock.held`, `.refused`) before it can be paid. */
  holdsStock?: true;
  /** Priced by sales for this account, not by the catalogue. */
  custom?: true;
  /** Offers of the first release do not say it. */
  pricedAt?: string;
  expiresAt: string;
}

/** What is signed with an offer: the secret signs other things too. */
const PURPOSE = 'offer.';

/** Of an amount before tax, in minor units, half up. */
export const taxOf = (amountMinor: number, basisPoints: number): number =>
  Number(divideHalfUp(BigInt(amountMinor) * BigInt(basisPoints), 10_000n));

export const sumOfLines = (lines: readonly OfferLine[]): number => lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);

/** Adds up the lines, taxes the sum once (`taxBasisPoints`, half up) and sets the expiry, `validMs` from now. Amounts in minor units. */
export function priceOffer(
  terms: Omit<OfferTerms, 'subtotalMinor' | 'taxBasisPoints' | 'taxMinor' | 'totalMinor' | 'pricedAt' | 'expiresAt'>,
  taxBasisPoints: number,
  clock: Clock,
  validMs = OFFER_VALID_MS,
): OfferTerms {
  const subtotalMinor = sumOfLines(terms.lines);
  if (subtotalMinor < 0) throw new RangeError('an offer never costs less than nothing');
  const taxMinor = taxOf(subtotalMinor, taxBasisPoints);
  return {
    ...terms,
    subtotalMinor,
    taxBasisPoints,
    taxMinor,
    totalMinor: subtotalMinor + taxMinor,
    pricedAt: clock.now().toISOString(),
    expiresAt: after(clock.now(), validMs).toISOString(),
  };
}

/** The same at another rate. */
export function taxedAt(terms: OfferTerms, taxBasisPoints: number): OfferTerms {
  const taxMinor = taxOf(terms.subtotalMinor, taxBasisPoints);
  return { ...terms, taxBasisPoints, taxMinor, totalMinor: terms.subtotalMinor + taxMinor };
}

/** The offer as the customer carries it from the product to the till. */
export const signOffer = (terms: OfferTerms, secret: SigningKeys): string => signJson(secret, terms, PURPOSE);

/** The terms of a signed offer, whether it still stands or not. Throws `offer_invalid` (altered, or another account's). */
export function readOffer(token: string, accountId: string, secret: SigningKeys): OfferTerms {
  const terms = openJson<OfferTerms>(secret, token, PURPOSE);
  if (terms?.accountId !== accountId) throw fail('offer_invalid');
  return terms;
}

/** The terms of a signed offer that stands. Throws `offer_invalid` (altered, or another account's) or `offer_expired`. */
export function openOffer(token: string, accountId: string, secret: SigningKeys, clock: Clock): OfferTerms {
  const terms = readOffer(token, accountId, secret);
  if (terms.expiresAt <= clock.now().toISOString()) throw fail('offer_expired');
  return terms;
}

/** Lines as the graph shows them. */
export const toLines = (lines: readonly OfferLine[], currency: string) =>
  lines.map(({ label, quantity, amountMinor }) => ({ label, quantity, amount: { amountMinor, currency } as Money }));

/** The GraphQL type Offer. */
export const toOffer = (terms: OfferTerms, secret: SigningKeys) => {
  const money = (amountMinor: number): Money => ({ amountMinor, currency: terms.currency });
  const withTax = (amountMinor: number): Money => money(amountMinor + taxOf(amountMinor, terms.taxBasisPoints));
  const { subscription, creditMinor = 0 } = terms;
  return {
    token: signOffer(terms, secret),
    title: terms.title,
    lines: toLines(terms.lines, terms.currency),
    subtotal: money(terms.subtotalMinor),
    tax: money(terms.taxMinor),
    total: money(terms.totalMinor),
    credit: creditMinor > 0 ? withTax(creditMinor) : null,
    renewal: subscription ? { months: subscription.months, total: withTax(sumOfLines(subscription.lines)) } : null,
    expiresAt: new Date(terms.expiresAt),
  };
};
