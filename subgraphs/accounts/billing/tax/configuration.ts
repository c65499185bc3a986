// The configuration of tax, apart from the seller and the rates (`#commerce/configuration.ts`).
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';

/** Currencies of ISO 4217 with no or with three decimals: amounts here are hundredths. */
const OTHERWISE: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BHD IQD JOD KWD LYD OMR TND'.split(' '),
);
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217 with three capital letters')
  .refine((code) => !OTHERWISE.has(code), 'must be a currency of two decimals');

export const taxConfiguration = configPart({
  SELLER_CURRENCY: [
    currency.optional(),
    'the currency that it pays tax in, such as EUR; with it invoices say their tax in it too, by the rates of `support exchange-rate`',
  ],
  VIES_URL: [
    url('http', 'https').optional(),
    "REST address of the register that VAT ids are checked in; default the European Commission's, or the sandbox's where that runs",
  ],
});

/** Source: https://ec.europa.eu/taxation_customs/vies/#/technical-information. */
const VIES = 'https://ec.europa.eu/taxation_customs/vies/rest-api';

export interface VatRegisterTerms {
  url: string;
  /** The limit for an answer in milliseconds; absent: 20 s. */
  timeoutMs?: number;
}

/** The register of VAT ids; without it ids stay unchecked. */
export const vatRegisterVendor = vendor<VatRegisterTerms>({
  name: 'vies',
  configured(config) {
    const { VIES_URL } = taxConfiguration.of(config);
    if (VIES_URL) return { url: VIES_URL.replace(/\/$/, '') };
    return config.SANDBOX ? undefined : { url: VIES };
  },
  played: (sandbox) => ({ url: `${sandbox.url('vies')}/taxation_customs/vies/rest-api` }),
});
