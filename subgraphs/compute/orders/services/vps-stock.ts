// What a new VPS needs that may be out of stock: addresses, a node with room, and a template of its system.
import { OPERATING_SYSTEMS, type OperatingSystem } from '../../catalogue/domain/operating-system.ts';
import { type VpsPlanCode, vpsSize } from '../../catalogue/domain/vps-plan.ts';
import { locationOf } from '../../machines/domain/cluster.ts';
import { openClusters } from '../../machines/services/locations.ts';
import { roomNow } from '../../machines/services/placement.ts';
import { freeAddresses } from '../../networking/entities/address.ts';
import type { OrdersContext } from '../context.ts';
import type { VpsOrder } from '../domain/vps-order.ts';

type Wish = Pick<VpsOrder, 'plan' | 'os' | 'extraIpv4'>;

export interface VpsStock {
  /** The locations in which new VPS are made. */
  locations: readonly string[];
  /** The part of an order that cannot be had at a location, or with null anywhere; undefined: there is all. */
  lackOf(wish: Wish, location: string | null): 'extraIpv4' | 'plan' | undefined;
}

/** What there is now. When nothing is known of the nodes at the moment, whether they have room is left to the build. */
export async function vpsStock(ctx: OrdersContext): Promise<VpsStock> {
  const hasRoom = await roomNow(ctx);
  const clusters: { name: string; location: string; free: number }[] = [];
  for (const cluster of await openClusters(ctx)) {
    const free = await freeAddresses(ctx.em, ctx.clock.now(), cluster.terms.addresses);
    clusters.push({ name: cluster.name, location: locationOf(cluster), free });
  }
  return {
    locations: [...new Set(clusters.map(({ location }) => location))],
    lackOf({ plan, os, extraIpv4 }, location) {
      const size = vpsSize(plan);
      const addressed = clusters.filter((one) => (location === null || one.location === location) && one.free > extraIpv4);
      if (addressed.length === 0) return 'extraIpv4';
      const names = addressed.map(({ name }) => name);
      return size && hasRoom(names, OPERATING_SYSTEMS[os].image, size) ? undefined : 'plan';
    },
  };
}

export interface VpsLocation {
  name: string;
  plans: VpsPlanCode[];
}

/** Every location with the plans that could be ordered there now, the smallest first; `os` null: with any system that is sold. */
export async function vpsLocations(
  ctx: OrdersContext,
  { os, extraIpv4 }: { os: OperatingSystem | null; extraIpv4: number },
): Promise<VpsLocation[]> {
  const { locations, lackOf } = await vpsStock(ctx);
  const { vps, systems } = ctx.providers.shop;
  const asked = os === null ? systems : systems.filter((system) => system === os);
  const plans = vps.plans.filter(({ sold }) => sold).map(({ code }) => code);
  const isThere = (plan: VpsPlanCode, location: string) =>
    asked.some((system) => lackOf({ plan, os: system, extraIpv4 }, location) === undefined);
  return locations.map((name) => ({ name, plans: plans.filter((plan) => isThere(plan, name)) }));
}
