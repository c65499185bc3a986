// The third contract, beside the SDL and the events: everything that may be said to a caller whose request failed. Codes are published: none ever goes.
import { ABUSE_ERRORS, ABUSE_REASONS } from './abuse.ts';
import { APPS_ERRORS, APPS_REASONS } from './apps.ts';
import { BILLING_ERRORS, BILLING_REASONS } from './billing.ts';
import { COMMERCE_ERRORS, COMMERCE_REASONS } from './commerce.ts';
import { COMPUTE_ERRORS, COMPUTE_REASONS } from './compute.ts';
import { EDGE_ERRORS } from './edge.ts';
import { GATEWAY_ERRORS, GATEWAY_REASONS } from './gateway.ts';
import { IDENTITY_ERRORS, IDENTITY_REASONS } from './identity.ts';
import { KEYS_ERRORS, KEYS_REASONS } from './keys.ts';
import { PLATFORM_ERRORS, PLATFORM_REASONS } from './platform.ts';
import { RESIDENTIAL_ERRORS, RESIDENTIAL_REASONS } from './residential.ts';
import { STATIC_ERRORS, STATIC_REASONS } from './static.ts';
import { SUPPORT_REASONS } from './support.ts';
import type { ParamsOf } from './terms.ts';
import { WEBHOOKS_ERRORS, WEBHOOKS_REASONS } from './webhooks.ts';

/** Room -> its codes: the platform's and commerce's are of all subgraphs. */
export const ERRORS_BY = {
  platform: PLATFORM_ERRORS,
  commerce: COMMERCE_ERRORS,
  gateway: GATEWAY_ERRORS,
  identity: IDENTITY_ERRORS,
  keys: KEYS_ERRORS,
  webhooks: WEBHOOKS_ERRORS,
  apps: APPS_ERRORS,
  billing: BILLING_ERRORS,
  abuse: ABUSE_ERRORS,
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
  ...WEBHOOKS_ERRORS,
  ...APPS_ERRORS,
  ...BILLING_ERRORS,
  ...ABUSE_ERRORS,
  ...RESIDENTIAL_ERRORS,
  ...STATIC_ERRORS,
  ...COMPUTE_ERRORS,
  ...EDGE_ERRORS,
} as const;

export type ErrorCode = keyof typeof ERRORS;

/** Room -> its reasons: why an action is not possible, or a value is refused. */
export const REASONS_BY = {
  platform: PLATFORM_REASONS,
  commerce: COMMERCE_REASONS,
  gateway: GATEWAY_REASONS,
  identity: IDENTITY_REASONS,
  keys: KEYS_REASONS,
  webhooks: WEBHOOKS_REASONS,
  apps: APPS_REASONS,
  billing: BILLING_REASONS,
  support: SUPPORT_REASONS,
  abuse: ABUSE_REASONS,
  residential: RESIDENTIAL_REASONS,
  static: STATIC_REASONS,
  compute: COMPUTE_REASONS,
} as const;

/** code -> English sentence. */
export const REASONS = {
  ...PLATFORM_REASONS,
  ...COMMERCE_REASONS,
  ...GATEWAY_REASONS,
  ...IDENTITY_REASONS,
  ...KEYS_REASONS,
  ...WEBHOOKS_REASONS,
  ...APPS_REASONS,
  ...BILLING_REASONS,
  ...SUPPORT_REASONS,
  ...ABUSE_REASONS,
  ...RESIDENTIAL_REASONS,
  ...STATIC_REASONS,
  ...COMPUTE_REASONS,
} as const;

export type ReasonCode = keyof typeof REASONS;

/** What the sentence of a reason names. */
export type ReasonParams<Code extends ReasonCode> = ParamsOf<(typeof REASONS)[Code]>;

/** The reasons of a language: a sentence with `{name}` for what it names, or how it is said of that. One that is missing fails the types. */
export type Sentences = { readonly [Code in ReasonCode]: string | ((params: ReasonParams<Code>) => string) };
