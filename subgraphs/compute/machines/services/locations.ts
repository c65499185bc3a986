// Where new machines can be made: the locations of the clusters.
import { fail } from '#platform/errors.ts';
import type { MachinesContext } from '../context.ts';
import { clusterOf, locationOf } from '../domain/cluster.ts';
import type { Cluster } from '../providers/cluster-book.ts';

/** The clusters that may get new machines, the first one first: those of a location, or with null all. */
export const openClusters = async ({ providers }: MachinesContext, location: string | null = null): Promise<Cluster[]> =>
  ((await providers.datacenter?.clusters.all()) ?? []).filter(
    (cluster) => !cluster.paused && (location === null || locationOf(cluster) === location),
  );

/** The location that is meant, in any letter case; null: none is named. Errors: parameter_invalid. */
export async function locationNamed(ctx: MachinesContext, typed: string | null): Promise<string | null> {
  const name = typed?.trim().toLowerCase();
  if (!name) return null;
  const locations = [...new Set((await openClusters(ctx)).map(locationOf))];
  const found = locations.find((location) => location.toLowerCase() === name);
  if (found === undefined) throw fail('parameter_invalid', { field: 'location', allowed: locations });
  return found;
}

/** Where a server is by its node, or will be as its owner has chosen; null: not known yet. */
export async function locationOfServer(
  { providers }: MachinesContext,
  { node, location }: { node: string | null; location: string | null },
): Promise<string | null> {
  if (node === null) return location;
  const cluster = ((await providers.datacenter?.clusters.all()) ?? []).find(({ name }) => name === clusterOf(node));
  return cluster ? locationOf(cluster) : location;
}
