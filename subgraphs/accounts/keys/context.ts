// The providers that API keys are given.
import type { Context } from '#platform/context.ts';
import type { BillingProviders } from '../billing/context.ts';
import type { KeyEnvironment } from './domain/api-key.ts';
import type { KeyUse } from './providers/key-use.ts';

export interface KeysProviders extends BillingProviders {
  keyEnvironment: KeyEnvironment;
  keyUse: KeyUse;
}

export type KeysContext = Context<KeysProviders>;
