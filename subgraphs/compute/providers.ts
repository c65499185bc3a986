// The providers of this subgraph, made once per process from the configuration.
import { openCatalogue } from '#commerce/catalogue/catalogue-book.ts';
import { commerceConfiguration } from '#commerce/configuration.ts';
import { HOUR } from '#platform/clock.ts';
import type { Context } from '#platform/context.ts';
import type { EntityManager } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { retentionOf } from '#platform/retention.ts';
import { type Guard, createGuard } from '#platform/vendor-guard.ts';
import { COMPUTE_CATALOGUE, toServerShop } from './catalogue/domain/catalogue.ts';
import { metalVendor } from './machines/configuration.ts';
import { type HypervisorTerms, hypervisorVendor } from './machines/hypervisor-configuration.ts';
import { nameServerVendor, routerVendor } from './networking/configuration.ts';
import { dueOperations } from './operations/entities/operation.ts';
import { BareMetalTrouble, type ControllerRef } from './machines/providers/bare-metal.ts';
import { BorderFirewallTrouble } from './networking/providers/border-firewall.ts';
import { HypervisorTrouble } from './machines/providers/hypervisor.ts';
import type { MetricsProviders } from './metrics/context.ts';
import { createUseWatch } from './metrics/providers/live-use.ts';
import { createProxmox } from './machines/providers/proxmox.ts';
import { routed } from './machines/providers/qualified.ts';
import { vendorOf } from './machines/domain/cluster.ts';
import { type Connected, openClusterBook } from './machines/providers/cluster-book.ts';
import { createPowerDns } from './networking/providers/powerdns.ts';
import { answers } from './machines/providers/reach.ts';
import { createRedfish } from './machines/providers/redfish.ts';
import { ReverseDnsTrouble } from './networking/providers/reverse-dns.ts';
import { VendorTrouble } from './operations/providers/vendor-trouble.ts';
import { createVyos } from './networking/providers/vyos.ts';

/** Each noun has a context of its own, which extends those of the nouns below it. */
export type ComputeProviders = MetricsProviders;
export type ComputeContext = Context<ComputeProviders>;

declare module './builder.ts' {
  interface ResolverProviders extends MetricsProviders {}
}

/** How often due operations are looked for. Waiting for the sweeper, which runs each minute, would take most of a build's time. */
const PACE_MS = 2_000;
const BATCH_SIZE = 50;
/** The timeout, in milliseconds, of one action at a vendor, which may be several requests. */
const VENDOR_MS = 120_000;

export async function createProviders(
  platform: Platform,
  closing: (close: () => Promise<void>) => void,
  em: () => EntityManager,
): Promise<ComputeProviders> {
  const { config, secrets, vendors, metrics, clock, log } = platform;
  /** Guards calls to a vendor. What it throws is a VendorTrouble too: operations try again later, and callers are told that the datacenter is silent. Any answer counts as a sign of life. */
  const guard = (vendor: string, Trouble: typeof VendorTrouble, partOf?: (args: readonly unknown[]) => string): Guard =>
    createGuard(
      {
        vendor,
        timeoutMs: VENDOR_MS,
        isTrouble: (error) => error instanceof VendorTrouble && error.cause !== undefined,
        refusal: (cause) => (cause instanceof VendorTrouble ? cause : new Trouble(cause.message, { cause })),
        ...(partOf && { partOf }),
      },
      platform,
    );
  const { ADDRESS_REST_HOURS, REPRICING_NOTICE_DAYS, STAFF_DISCOUNT_LIMIT, TAX_RATES } = commerceConfiguration.of(config);
  const catalogue = await openCatalogue(platform, { seller: 'compute', fields: COMPUTE_CATALOGUE, em, closing });
  const shop = catalogue.view(toServerShop);
  let datacenter: MetricsProviders['datacenter'];
  const servers = vendors.of(hypervisorVendor);
  if (servers) {
    const clusters = openClusterBook({ main: servers, sealing: secrets.sealing, clock, em, connect: connectWith(guard) });
    const hypervisor = routed(
      async (named) => (await clusters.of(named)).hypervisor,
      async () => (await clusters.all()).map((cluster) => cluster.hypervisor),
    );
    const use = createUseWatch({ hypervisor, clock, log });
    datacenter = { hypervisor, clusters, use, terms: servers };
    closing(clusters.close);
    closing(use.close);
  }
  let metal: MetricsProviders['metal'];
  const machines = vendors.of(metalVendor);
  if (machines) {
    const { bareMetal, close } = createRedfish(machines);
    const controllers = guard('controllers', BareMetalTrouble, ([ref]) => (ref as ControllerRef).url);
    metal = { ...machines, bareMetal: controllers(bareMetal, { hasty: ['serialConsole', 'graphicConsole'] }) };
    closing(close);
  }
  let reverseDns: MetricsProviders['reverseDns'];
  const nameServer = vendors.of(nameServerVendor);
  if (nameServer) {
    const names = createPowerDns(nameServer);
    reverseDns = guard('names', ReverseDnsTrouble)(names.reverseDns);
    closing(names.close);
  }
  let border: MetricsProviders['border'];
  const borderRouter = vendors.of(routerVendor);
  if (borderRouter) {
    const router = createVyos(borderRouter);
    border = guard('router', BorderFirewallTrouble)(router.border);
    closing(router.close);
  }
  if (datacenter || metal) closing(pace(platform, em));
  return {
    datacenter,
    metal,
    reverseDns,
    border,
    catalogue,
    get shop() {
      return shop.now();
    },
    shopAt: shop.at,
    repricingNoticeDays: REPRICING_NOTICE_DAYS,
    discountLimitBasisPoints: STAFF_DISCOUNT_LIMIT * 100,
    answers,
    sealing: secrets.sealing,
    offers: secrets.offers,
    taxRates: TAX_RATES ?? {},
    restMs: ADDRESS_REST_HOURS * HOUR,
    retention: retentionOf(config),
    eventDropped: () => metrics.droppedEvents.inc(),
  };
}

/** Opens a cluster of the hypervisor. Each has a breaker of its own, and a name of its own in figures and alarms. */
const connectWith =
  (guard: (vendor: string, Trouble: typeof VendorTrouble) => Guard) =>
  (name: string, terms: HypervisorTerms): Connected => {
    const { hypervisor, close } = createProxmox(terms);
    const limited = guard(vendorOf(name), HypervisorTrouble);
    return { hypervisor: limited(hypervisor, { hasty: ['openConsole', 'history'] }), close };
  };

/** Looks for operations that are due and enqueues them, until it is stopped. */
function pace({ clock, queue, log }: Platform, em: () => EntityManager): () => Promise<void> {
  let looking: Promise<void> | undefined;
  const look = async () => {
    const manager = em();
    for (const operationId of await dueOperations(manager, clock.now(), BATCH_SIZE))
      await queue.jobs.enqueue(manager, 'compute.operation-continue', { operationId }, { key: operationId });
  };
  const timer = setInterval(() => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ error: String(error) }, 'looking for operations failed'))
      .finally(() => (looking = undefined));
  }, PACE_MS).unref();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
