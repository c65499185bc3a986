// How an account is taxed now: by the rate of the country in its billing details. A business of another member state owes the tax itself.
import { fail } from '#platform/errors.ts';
import { type OfferTerms, taxedAt } from '#commerce/offers.ts';
import { rateOf, sellsWithTax } from '#commerce/tax.ts';
import { type BillingDetails, detailsOfAccount } from '../entities/billing-details.ts';
import type { TaxContext } from '../context.ts';
import { isReverseCharged } from '../domain/tax-rule.ts';
import { type AccountVatId, vatIdOfAccount } from '../entities/vat-id.ts';

export interface TaxPosition {
  /** Null: the account has given no billing details. */
  details: BillingDetails | null;
  vatId: AccountVatId | null;
  /** Hundredths of a percent. */
  basisPoints: number;
  reverseCharge: boolean;
}

type Asks = Pick<TaxContext, 'em' | 'clock' | 'providers'>;
type Taxed = Pick<OfferTerms, 'accountId' | 'subtotalMinor' | 'taxBasisPoints'>;

export async function taxPositionOf({ em, clock, providers }: Asks, accountId: string): Promise<TaxPosition> {
  const details = await detailsOfAccount(em, accountId);
  const vatId = details && sellsWithTax(providers.taxRates) ? await vatIdOfAccount(em, accountId) : null;
  const country = details?.country ?? null;
  const reverseCharge = isReverseCharged({ seller: providers.seller.country, buyer: country, vatId: vatId?.state ?? null });
  return { details, vatId, reverseCharge, basisPoints: reverseCharge ? 0 : rateOf(providers.taxRates, country, clock.now()) };
}

/** An offer at the present tax rate. Where sales are not taxed, it stays as it was signed. */
export async function taxedNow(ctx: Asks, terms: OfferTerms): Promise<OfferTerms> {
  if (!sellsWithTax(ctx.providers.taxRates)) return terms;
  return taxedAt(terms, (await taxPositionOf(ctx, terms.accountId)).basisPoints);
}

/** Whether an offer that costs something cannot be ordered before the account's country is known. */
export const isCountryMissing = ({ providers }: Asks, { subtotalMinor }: Taxed, { details }: TaxPosition): boolean =>
  subtotalMinor > 0 && sellsWithTax(providers.taxRates) && details === null;

/**
 * Checks, before an offer is ordered, that its tax is that of the account now, since it may have changed after the offer was priced. Errors:
 * billing_country_required; offer_tax_changed, the preview of the same offer is a price that holds.
 */
export async function checkTax(ctx: Asks, terms: Taxed): Promise<TaxPosition> {
  const position = await taxPositionOf(ctx, terms.accountId);
  if (isCountryMissing(ctx, terms, position)) throw fail('billing_country_required');
  const fixed = !sellsWithTax(ctx.providers.taxRates) || terms.subtotalMinor === 0;
  if (!fixed && position.basisPoints !== terms.taxBasisPoints) throw fail('offer_tax_changed');
  return position;
}
