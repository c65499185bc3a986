// Configuration that all sellers share: who sells, at which prices and with which tax.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { isDay } from '#platform/clock.ts';
import { addressLines, count } from '#platform/config-values.ts';
import type { DatedRate, TaxRates } from './tax.ts';

/** "DE=19,FR=20,DE=20@2027-01-01": percent with up to two decimals, stored as basis points; with a day, valid from that day on. */
const taxRates = z.string().transform((value, context): TaxRates => {
  const rates: Record<string, DatedRate[]> = {};
  for (const entry of value.split(',').filter(Boolean)) {
    const [, country, percent, from = null] = /^([A-Z]{2})=(\d{1,2}(?:\.\d{1,2})?)(?:@(.+))?$/.exec(entry) ?? [];
    const known = rates[country ?? ''] ?? [];
    if (!country || !percent || (from !== null && !isDay(from)))
      context.addIssue({ code: 'custom', message: 'must be COUNTRY=percent pairs such as DE=19,FR=20, or DE=20@2027-01-01 from a day on' });
    else if (known.some((rate) => rate.from === from))
      context.addIssue({ code: 'custom', message: `must not say twice what ${country} taxes with from the same day on` });
    else rates[country] = [...known, { from, basisPoints: Math.round(Number(percent) * 100) }].toSorted(latestFirst);
  }
  return rates;
});
const latestFirst = (one: DatedRate, other: DatedRate): number => ((one.from ?? '') < (other.from ?? '') ? 1 : -1);

export const commerceConfiguration = configPart(
  {
    BRAND: [z.string().min(1).max(40).default('Egress'), 'the name customers see'],
    SUPPORT_EMAIL: [z.email('must be an e-mail address').default('support@egress.example'), 'where customers write to'],
    SELLER_NAME: [z.string().min(1).max(100).default('Egress Example Ltd'), 'the company on invoices'],
    SELLER_ADDRESS: [addressLines.default(['1 Example Street', 'Exampleton']), 'its address on invoices, lines separated by semicolons'],
    SELLER_COUNTRY: [
      z
        .string()
        .regex(/^[A-Z]{2}$/, 'must be a country code of two capital letters')
        .optional(),
      'its country on invoices, as a code of two letters',
    ],
    SELLER_TAX_ID: [z.string().min(4).max(30).optional(), 'its tax id on invoices'],
    TAX_RATES: [
      taxRates.optional(),
      'COUNTRY=percent pairs, with @YYYY-MM-DD from a day on; with any, who pays must say a country; default 0 %',
    ],
    ADDRESS_REST_HOURS: [count(0).default(168), 'how long a static address rests between two customers'],
    REPRICING_NOTICE_DAYS: [
      count(0).default(30),
      'running subscriptions are told of another price at least so many days before it applies',
    ],
    STAFF_DISCOUNT_LIMIT: [
      count(0).default(30),
      'percent that one member of staff may take off the prices of an account; for more a second one has to agree',
    ],
    CATALOGUE_FILE: [
      z.string().optional(),
      'JSON file with prices and names of the operator, imported at a start when it is not the one that was imported last',
    ],
  },
  {
    // No default is right in production: an invoice must say who issued it.
    refusals: (_own, { NODE_ENV }, given) =>
      (['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_COUNTRY', 'SELLER_TAX_ID'] as const)
        .filter((name) => NODE_ENV === 'production' && !given(name))
        .map((name) => `${name} must be set in production: it stands on every invoice.`),
  },
);
