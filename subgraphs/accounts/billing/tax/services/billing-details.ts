import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { sellsWithTax } from '#commerce/tax.ts';
import { iso31661 } from 'iso-3166';
import type { BillingDetails } from '../entities/billing-details.ts';
import { lockMoneyOf } from '../../../identity/entities/account.ts';
import { storeDetails } from '../entities/billing-details.ts';
import type { TaxContext } from '../context.ts';
import { record } from '../../../identity/services/activity.ts';
import { formatVatId, isMemberState, toVatId } from '../domain/vat-id.ts';
import { storeVatId } from '../entities/vat-id.ts';
import { taxPositionOf } from './tax-position.ts';
import { BILLING_LINES_MAX, TEXT_MAX } from '../../../../../schema/limits.ts';

export interface BillingDetailsInput {
  name: string;
  address: string[];
  country: string;
  taxId?: string | null;
}

const COUNTRIES: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2));

const invalid = (field: string, reason: Reason) => fail('parameter_invalid', { field, reason });

/** Sets the details that further invoices are issued to; issued invoices do not change. Errors: parameter_invalid. */
export async function setBillingDetails(ctx: TaxContext, input: BillingDetailsInput): Promise<BillingDetails> {
  const accountId = accountOf(ctx);
  const name = input.name.trim();
  const address = input.address.map((line) => line.trim()).filter(Boolean);
  const country = input.country.trim().toUpperCase();
  const written = input.taxId?.trim() || null;
  if (name === '' || name.length > TEXT_MAX.billingLine) throw invalid('name', because('name_length', { max: TEXT_MAX.billingLine }));
  if (address.length === 0 || address.length > BILLING_LINES_MAX || address.some((line) => line.length > TEXT_MAX.billingLine))
    throw invalid('address', because('billing_address_shape', { lines: BILLING_LINES_MAX, max: TEXT_MAX.billingLine }));
  if (!COUNTRIES.has(country)) throw invalid('country', because('country_unfit'));
  if (written !== null && !/^[A-Za-z0-9][A-Za-z0-9 ./+*-]{3,29}$/.test(written)) throw invalid('taxId', because('tax_id_unfit'));
  const vatId = written === null ? undefined : toVatId(country, written);
  // Where sales are taxed, a business of a member state must give a VAT id in the form of its register.
  const taxes = sellsWithTax(ctx.providers.taxRates);
  if (taxes && written !== null && !vatId && isMemberState(country)) throw invalid('taxId', because('vat_id_unfit', { country }));
  const taxId = taxes && vatId ? formatVatId(vatId) : written;
  return inTransaction(ctx, async (tx) => {
    await lockMoneyOf(tx.em, accountId);
    const now = ctx.clock.now();
    const details = await storeDetails(tx.em, { accountId, name, address, country, taxId, updatedAt: now });
    const isNew = await storeVatId(tx.em, accountId, vatId ? formatVatId(vatId) : null, now);
    if (isNew && taxes) await tx.jobs.enqueue(tx.em, 'accounts.vat-id-check', { accountId });
    const { reverseCharge } = await taxPositionOf(tx, accountId);
    // The tax may be another one in another country.
    await tx.providers.taxChanged(tx, accountId);
    await record(tx, { type: 'billing_details.changed', accountId, subject: accountId, data: { country, reverseCharge } });
    return details;
  });
}
