// The outside of this subgraph: made once per process from the configuration.
import { HOUR } from '#shared/clock.ts';
import type { EntityManager } from '#shared/database.ts';
import type { Platform } from '#shared/platform.ts';
import type { HypervisorTerms } from '#shared/vendors.ts';
import { dueOperations } from './entities/operation.ts';
import type { Hypervisor } from './providers/hypervisor.ts';
import { createProxmox } from './providers/proxmox.ts';
import { answers } from './providers/reach.ts';

/** What servers are made on; absent: none are sold. */
export interface Datacenter {
  hypervisor: Hypervisor;
  terms: HypervisorTerms;
}

export interface ComputeProviders {
  datacenter: Datacenter | undefined;
  /** Whether anything accepts connections there. */
  answers(ip: string, port: number): Promise<boolean>;
  /** Seals passwords of servers. */
  sealing: Buffer;
  /** Signs offers. */
  offers: string;
  /** How long an address rests between two servers. */
  restMs: number;
  /** Counts values that a slow subscriber lost. */
  eventDropped(): void;
}

/** How often operations that wait for their next look are looked for: the minute of a sweeper would be most of a build. */
const PACE_MS = 2_000;
const AT_ONCE = 50;

export function createProviders(
  platform: Platform,
  closing: (close: () => Promise<void>) => void,
  em: () => EntityManager,
): ComputeProviders {
  const { config, secrets, vendors, metrics, clock, queue, log } = platform;
  let datacenter: Datacenter | undefined;
  if (vendors.hypervisor) {
    const { hypervisor, close } = createProxmox(vendors.hypervisor);
    datacenter = { hypervisor, terms: vendors.hypervisor };
    closing(close);
    let looking: Promise<void> | undefined;
    const look = async () => {
      const manager = em();
      for (const operationId of await dueOperations(manager, clock.now(), AT_ONCE))
        await queue.jobs.enqueue(manager, 'compute.operation-continue', { operationId }, { key: operationId });
    };
    const pace = setInterval(() => {
      looking ??= look()
        .catch((error: unknown) => log.warn({ error: String(error) }, 'looking for operations failed'))
        .finally(() => (looking = undefined));
    }, PACE_MS).unref();
    closing(async () => {
      clearInterval(pace);
      await looking;
    });
  }
  return {
    datacenter,
    answers,
    sealing: secrets.sealing,
    offers: secrets.offers,
    restMs: config.ADDRESS_REST_HOURS * HOUR,
    eventDropped: () => metrics.droppedEvents.inc(),
  };
}
