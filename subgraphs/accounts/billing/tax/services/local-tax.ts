// Exchange rates that the operator notes, and the tax of invoices converted by them.
import { isDay } from '#platform/clock.ts';
import { because, fail } from '#platform/errors.ts';
import type { TaxContext } from '../context.ts';
import { type ExchangeRate, type LocalTax, daysOfRates, isExchangeRate, localTaxAt } from '../domain/local-tax.ts';
import { ratesBetween, storeRate } from '../entities/exchange-rate.ts';

const SOURCE_MAX = 100;

/** Notes a rate, which applies from that day until the next one. Issued invoices do not change. Errors: parameter_invalid. */
export async function noteExchangeRate({ em, clock }: TaxContext, rate: ExchangeRate): Promise<void> {
  const { currency, day, perDollar, source } = rate;
  if (!/^[A-Z]{3}$/.test(currency)) throw fail('parameter_invalid', { field: 'currency', reason: because('exchange_currency_unfit') });
  if (!isDay(day)) throw fail('parameter_invalid', { field: 'day', reason: because('day_unknown', { day }) });
  if (!isExchangeRate(perDollar)) throw fail('parameter_invalid', { field: 'perDollar', reason: because('exchange_rate_unfit') });
  if (source.trim() === '' || source.length > SOURCE_MAX)
    throw fail('parameter_invalid', { field: 'source', reason: because('note_length', { max: SOURCE_MAX }) });
  await storeRate(em, { currency, day, perDollar, source: source.trim() }, clock.now());
}

/** The last 31 rates of a currency, the latest first. */
export const lastExchangeRates = ({ em }: TaxContext, currency: string): Promise<ExchangeRate[]> =>
  ratesBetween(em, currency, { from: '0001-01-01', to: '9999-12-31' }, 31);

/**
 * The tax of an invoice that is issued now, in the seller's currency; null where none is configured, there is no tax, or no rate is recent enough. A document
 * that corrects or replaces an invoice uses that invoice's rate.
 */
export async function localTaxOf(
  ctx: TaxContext,
  taxMinor: number,
  before: { localTax?: LocalTax | null } | null,
): Promise<LocalTax | null> {
  const { em, clock, log, providers } = ctx;
  if (taxMinor === 0) return null;
  if (before) return before.localTax ? localTaxAt(taxMinor, before.localTax) : null;
  const { localCurrency } = providers;
  if (!localCurrency) return null;
  const [rate] = await ratesBetween(em, localCurrency, daysOfRates(clock.now()), 1);
  if (!rate) log.warn({ currency: localCurrency }, 'no rate of exchange of the last month: an invoice says its tax in dollars alone');
  return rate ? localTaxAt(taxMinor, rate) : null;
}
