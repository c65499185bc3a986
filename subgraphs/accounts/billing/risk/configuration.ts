// The configuration for orders that a person has to review.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { count, url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';

/** Spec is silent. Stock is held for a month at most. */
const HOLD_HOURS = { usual: 72, max: 720 };

export const riskConfiguration = configPart(
  {
    REVIEW_HOLD_HOURS: [
      count(1).default(HOLD_HOURS.usual),
      'hours that stock stays held for an order that a rule of the desk holds; one that is released later takes what is free then',
    ],
    IDENTITY_CHECK_URL: [
      url('http', 'https').optional(),
      'where customers show who they are, at a vendor (docs/risk.md); absent: nowhere, or the sandbox plays it',
    ],
    IDENTITY_CHECK_SECRET: [
      z
        .string()
        .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, 'must be whsec_ and 24 to 64 bytes in Base64')
        .optional(),
      'signs the links to it, and its notices to /identity/notices: whsec_ and 24 to 64 bytes in Base64',
    ],
    GEO_FILE: [
      z.string().min(1).optional(),
      'table of the countries of addresses, for rules on orders, read again when it changes (docs/risk.md)',
    ],
  },
  {
    requires: { IDENTITY_CHECK_URL: ['IDENTITY_CHECK_SECRET'], IDENTITY_CHECK_SECRET: ['IDENTITY_CHECK_URL'] },
    refusals: ({ REVIEW_HOLD_HOURS: hours }) => (hours <= HOLD_HOURS.max ? [] : [`REVIEW_HOLD_HOURS must be at most ${HOLD_HOURS.max}`]),
  },
);

export interface IdentityVendorTerms {
  url: string;
  secret: string;
}

/** Without it nobody is asked who they are, and staff note what they have checked themselves. */
export const identityVendor = vendor<IdentityVendorTerms>({
  name: 'identity',
  configured(config) {
    const { IDENTITY_CHECK_URL, IDENTITY_CHECK_SECRET: secret } = riskConfiguration.of(config);
    return IDENTITY_CHECK_URL && secret ? { url: IDENTITY_CHECK_URL, secret } : undefined;
  },
  played: (sandbox) => ({ url: `${sandbox.url('identity')}/start`, secret: sandbox.accepts('identitySecret') }),
});
