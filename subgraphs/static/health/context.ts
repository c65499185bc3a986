// The providers that checks of lines are given.
import type { Context } from '#platform/context.ts';
import type { SealingKeys } from '#platform/sealing.ts';
import type { ProductsProviders } from '../products/context.ts';
import type { HttpsProber } from './providers/https-prober.ts';
import type { Prober } from './providers/prober.ts';

export interface HealthProviders extends ProductsProviders {
  /** Seals proxy passwords. */
  sealing: SealingKeys;
  /** Checks lines from outside; absent: nothing is checked. */
  prober?: Prober;
  /** Checks the TLS port of a line whose plain port works; absent: there is none. */
  httpsProber?: HttpsProber;
  /** The addresses from which those checks come. */
  checksComeFrom: readonly string[];
}

export type HealthContext = Context<HealthProviders>;
