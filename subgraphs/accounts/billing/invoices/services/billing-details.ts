import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { type Reason, because, fail } from '#platform/errors.ts';
import { iso31661 } from 'iso-3166';
import type { BillingDetails } from '../entities/billing-details.ts';
import { storeDetails } from '../entities/billing-details.ts';
import { unsyncSubscriptions } from '../../subscriptions/entities/billing-subscription.ts';
import type { Context } from '../../../context.ts';
import { record } from '../../../identity/services/activity.ts';

export interface BillingDetailsInput {
  name: string;
  address: string[];
  country: string;
  taxId?: string | null;
}

const LONGEST = 100;
const MAX_LINES = 4;
const COUNTRIES: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2));

const invalid = (field: string, reason: Reason) => fail('parameter_invalid', { field, reason });

/** To whom the next invoices are written; those that stand are not changed. Errors: parameter_invalid. */
export async function setBillingDetails(ctx: Context, input: BillingDetailsInput): Promise<BillingDetails> {
  const accountId = accountOf(ctx);
  const name = input.name.trim();
  const address = input.address.map((line) => line.trim()).filter(Boolean);
  const country = input.country.trim().toUpperCase();
  const taxId = input.taxId?.trim() || null;
  if (name === '' || name.length > LONGEST) throw invalid('name', because('name_length', { max: LONGEST }));
  if (address.length === 0 || address.length > MAX_LINES || address.some((line) => line.length > LONGEST))
    throw invalid('address', because('billing_address_shape', { lines: MAX_LINES, max: LONGEST }));
  if (!COUNTRIES.has(country)) throw invalid('country', because('country_unfit'));
  if (taxId !== null && !/^[A-Za-z0-9][A-Za-z0-9 ./-]{3,29}$/.test(taxId)) throw invalid('taxId', because('tax_id_unfit'));
  return inTransaction(ctx, async (tx) => {
    const details = await storeDetails(tx.em, { accountId, name, address, country, taxId, updatedAt: ctx.clock.now() });
    // Another country is another tax: the processor learns what renewals come to from now on.
    await unsyncSubscriptions(tx.em, accountId);
    await record(tx, { type: 'billing_details.changed', accountId, subject: accountId, data: { country } });
    return details;
  });
}
