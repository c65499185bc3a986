// The providers that metering is given.
import type { Context as SharedContext } from '#platform/context.ts';
import type { PlansProviders } from '../plans/context.ts';
import type { KeptHosts } from './providers/kept-host.ts';
import type { UsageReceipt } from './providers/usage-counter.ts';
import type { UsageFeed } from './providers/usage-feed.ts';

export interface MeteringProviders extends PlansProviders {
  usage: UsageFeed;
  /** How hosts that were reached are kept. */
  hosts: KeptHosts;
  /** Counts the outcomes of a network's reported lines. */
  usageReceived(source: string, receipt: UsageReceipt): void;
}

export type Context = SharedContext<MeteringProviders>;
