// The figures of tax returns, in dollars and in the currency that the return is filed in.
import type { Money } from '#commerce/money.ts';
import { DAY, after, toDay } from '#platform/clock.ts';
import { convert } from '../../tax/domain/local-tax.ts';
import { isMemberState } from '../../tax/domain/vat-id.ts';
import { ratesBetween } from '../../tax/entities/exchange-rate.ts';
import { type DayPeriod } from '#platform/day-period.ts';
import { endOfQuarter } from '../domain/finance-period.ts';
import {
  type CorrectionSums,
  type RecapitulativeSums,
  type TaxSums,
  correctionSums,
  recapitulativeSums,
  taxSums,
} from '../entities/tax-figures.ts';
import type { FinanceContext } from '../context.ts';

type Reading = Pick<FinanceContext, 'em' | 'providers'>;

export interface TaxLine extends Pick<TaxSums, 'country' | 'basisPoints' | 'hasTaxId' | 'documents'> {
  net: Money;
  tax: Money;
  /** Null: no currency of the seller is configured, or a rate is missing. */
  localNet: Money | null;
  localTax: Money | null;
}

export interface TaxCorrection extends Pick<CorrectionSums, 'quarter' | 'country' | 'documents'> {
  tax: Money;
  localTax: Money | null;
}

export interface RecapitulativeLine extends Pick<RecapitulativeSums, 'country' | 'taxId' | 'documents'> {
  net: Money;
  localNet: Money | null;
}

const money = (amount: string, currency: string): Money => ({ amountMinor: Number(amount), currency });
const localMoney = (amount: string | null, currency: string | undefined): Money | null =>
  amount === null || currency === undefined ? null : money(amount, currency);

/** Invoices less credit notes, by the buyer's country and the rate; in the seller's currency as the documents state it. */
export async function taxReturn({ em, providers: { localCurrency: local } }: Reading, period: DayPeriod): Promise<TaxLine[]> {
  return (await taxSums(em, period, { local })).map(({ currency, net, tax, localNet, localTax, ...line }) => ({
    ...line,
    net: money(net, currency),
    tax: money(tax, currency),
    localNet: localMoney(localNet, local),
    localTax: localMoney(localTax, local),
  }));
}

/** How far ahead the next published rate is looked for: weekends and holidays are not longer. */
const NEXT_RATE_MS = 7 * DAY;

/** The conversion for the return of a period: by the rate of its last day, or the next one that was published (Directive 2006/112/EC, article 369h). */
async function rateAtEnd({ em, providers: { localCurrency } }: Reading, { until }: Pick<DayPeriod, 'until'>) {
  if (!localCurrency) return () => null;
  const last = after(until, -DAY);
  const rates = await ratesBetween(em, localCurrency, { from: toDay(last), to: toDay(after(last, NEXT_RATE_MS)) }, 8);
  const rate = rates.at(-1);
  return ({ amountMinor }: Money): Money | null =>
    rate ? { amountMinor: Math.sign(amountMinor) * convert(Math.abs(amountMinor), rate.perDollar), currency: localCurrency } : null;
}

const isElsewhere = ({ providers }: Reading, country: string | null): boolean => {
  const home = providers.seller.country;
  return isMemberState(home) && isMemberState(country) && country !== home;
};

/** Taxed sales of the period to member states of the Union other than the seller's, less their credit notes within it. */
export async function oneStopShop(ctx: Reading, period: DayPeriod): Promise<TaxLine[]> {
  const toLocal = await rateAtEnd(ctx, period);
  return (await taxSums(ctx.em, period, { local: undefined, sales: true }))
    .filter(({ country, basisPoints }) => isElsewhere(ctx, country) && basisPoints > 0)
    .map(({ currency, net, tax, ...line }) => {
      const [before, of] = [money(net, currency), money(tax, currency)];
      return { ...line, net: before, tax: of, localNet: toLocal(before), localTax: toLocal(of) };
    });
}

/** Corrections of earlier periods, which the return lists separately: by quarter and country, at the rate of that quarter (articles 369g and 369h). */
export async function oneStopShopCorrections(ctx: Reading, period: DayPeriod): Promise<TaxCorrection[]> {
  const corrections: TaxCorrection[] = [];
  for (const { currency, tax, ...line } of await correctionSums(ctx.em, period)) {
    if (!isElsewhere(ctx, line.country)) continue;
    const amount = money(tax, currency);
    const toLocal = await rateAtEnd(ctx, { until: endOfQuarter(line.quarter) });
    corrections.push({ ...line, tax: amount, localTax: toLocal(amount) });
  }
  return corrections;
}

/** Services to businesses of other member states, which owe the tax themselves, by VAT id (articles 262 to 264). */
export async function recapitulativeStatement(ctx: Reading, period: DayPeriod): Promise<RecapitulativeLine[]> {
  const { localCurrency: local } = ctx.providers;
  return (await recapitulativeSums(ctx.em, period, local))
    .filter(({ country }) => isElsewhere(ctx, country))
    .map(({ currency, net, localNet, ...line }) => ({ ...line, net: money(net, currency), localNet: localMoney(localNet, local) }));
}
