import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { iso31661 } from 'iso-3166';
import type { BillingDetails } from '../entities/billing-details.ts';
import { storeDetails } from '../entities/billing-details.ts';
import { unsyncSubscriptions } from '../../subscriptions/entities/billing-subscription.ts';
import type { Context } from '../../../providers.ts';
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

const invalid = (field: string, reason: string) => fail('parameter_invalid', { field, reason });

/** To whom the next invoices are written; those that stand are not changed. Errors: parameter_invalid. */
export async function setBillingDetails(ctx: Context, input: BillingDetailsInput): Promise<BillingDetails> {
  const accountId = accountOf(ctx);
  const name = input.name.trim();
  const address = input.address.map((line) => line.trim()).filter(Boolean);
  const country = input.country.trim().toUpperCase();
  const taxId = input.taxId?.trim() || null;
  if (name === '' || name.length > LONGEST) throw invalid('name', `A name has 1 to ${LONGEST} characters.`);
  if (address.length === 0 || address.length > MAX_LINES || address.some((line) => line.length > LONGEST))
    throw invalid('address', `An address has 1 to ${MAX_LINES} lines of at most ${LONGEST} characters.`);
  if (!COUNTRIES.has(country)) throw invalid('country', 'country is a code of ISO 3166 with two letters.');
  if (taxId !== null && !/^[A-Za-z0-9][A-Za-z0-9 ./-]{3,29}$/.test(taxId))
    throw invalid('taxId', 'A tax id has 4 to 30 letters, digits, spaces, dots, slashes and dashes.');
  return inTransaction(ctx, async (tx) => {
    const details = await storeDetails(tx.em, { accountId, name, address, country, taxId, updatedAt: ctx.clock.now() });
    // Another country is another tax: the processor learns what renewals come to from now on.
    await unsyncSubscriptions(tx.em, accountId);
    await record(tx, { type: 'billing_details.changed', accountId, subject: accountId, data: { country } });
    return details;
  });
}
