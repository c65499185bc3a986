// The providers that metrics of servers and consoles are given.
import type { Context } from '#platform/context.ts';
import type { Datacenter } from '../machines/context.ts';
import type { Retention } from '../../../schema/retention.ts';
import type { OrdersProviders } from '../orders/context.ts';
import type { UseWatch } from './providers/live-use.ts';

export interface WatchedDatacenter extends Datacenter {
  use: UseWatch;
}

export interface MetricsProviders extends OrdersProviders {
  datacenter: WatchedDatacenter | undefined;
  /** For how many days each kind of data is kept. */
  retention: Retention;
}

export type MetricsContext = Context<MetricsProviders>;
