// The third contract, beside the SDL and the events: everything that may be said to a caller whose request failed. Codes are published: none ever goes.
import { BILLING_ERRORS } from './codes/billing.ts';
import { COMMERCE_ERRORS } from './codes/commerce.ts';
import { COMPUTE_ERRORS } from './codes/compute.ts';
import { EDGE_ERRORS } from './codes/edge.ts';
import { GATEWAY_ERRORS } from './codes/gateway.ts';
import { IDENTITY_ERRORS } from './codes/identity.ts';
import { KEYS_ERRORS } from './codes/keys.ts';
import { PLATFORM_ERRORS } from './codes/platform.ts';
import { RESIDENTIAL_ERRORS } from './codes/residential.ts';
import { STATIC_ERRORS } from './codes/static.ts';

/** Room -> its codes: the platform's and commerce's are of all subgraphs. */
export const ERRORS_BY = {
  platform: PLATFORM_ERRORS,
  commerce: COMMERCE_ERRORS,
  gateway: GATEWAY_ERRORS,
  identity: IDENTITY_ERRORS,
  keys: KEYS_ERRORS,
  billing: BILLING_ERRORS,
  residential: RESIDENTIAL_ERRORS,
  static: STATIC_ERRORS,
  compute: COMPUTE_ERRORS,
  edge: EDGE_ERRORS,
} as const;

/** code -> status, English sentence, whether the same request may succeed later. */
export const ERRORS = {
  ...PLATFORM_ERRORS,
  ...COMMERCE_ERRORS,
  ...GATEWAY_ERRORS,
  ...IDENTITY_ERRORS,
  ...KEYS_ERRORS,
  ...BILLING_ERRORS,
  ...RESIDENTIAL_ERRORS,
  ...STATIC_ERRORS,
  ...COMPUTE_ERRORS,
  ...EDGE_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;
