// What everything about money is given: each noun has a context of its own, which extends those of the nouns below it.
import type { Context } from '#platform/context.ts';
import type { CheckoutProviders } from './checkout/context.ts';
import type { DisputesProviders } from './disputes/context.ts';
import type { FinanceProviders } from './finance/context.ts';

export interface BillingProviders extends CheckoutProviders, DisputesProviders, FinanceProviders {}

export type BillingContext = Context<BillingProviders>;
