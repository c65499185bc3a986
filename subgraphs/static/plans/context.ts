// The providers that plans and their delivery are given.
import type { TaxRates } from '#commerce/tax.ts';
import type { LineTests } from '#lines/line-tests.ts';
import type { Context } from '#platform/context.ts';
import type { SigningKeys } from '#platform/mac.ts';
import type { HealthProviders } from '../health/context.ts';
import type { SecureLines } from './domain/line-text.ts';

export interface PlansProviders extends HealthProviders {
  /** Signs offers. */
  offers: SigningKeys;
  taxRates: TaxRates;
  /** How long an address rests between two customers. */
  restMs: number;
  /** Whether private networks may log in: in development, where the customers are on this machine. */
  privateNetworks: boolean;
  /** Where customers speak TLS to the proxies, at every address. Absent: nowhere. */
  secure?: SecureLines;
  lineTests: LineTests;
  /** A plan that is not delivered within this time is paid back. */
  deliverWithinMs: number;
  /** Counts values that were dropped since a subscriber read too slowly. */
  eventDropped(): void;
}

export type PlansContext = Context<PlansProviders>;
