// Clusters of the hypervisor are added, changed, paused and removed. Before one is stored it is asked, so that a wrong address or token is refused here.
import { z } from 'zod';
import { inTransaction } from '#platform/database.ts';
import { type Failure, because, fail } from '#platform/errors.ts';
import { seal, unseal } from '#platform/sealing.ts';
import type { MachinesContext } from '../context.ts';
import { addressRange, overlap } from '../domain/address-range.ts';
import { renameLocation } from '../../servers/entities/server.ts';
import { CLUSTER_NAME, MAIN, clusterOf, locationOf } from '../domain/cluster.ts';
import { apiToken, consoleUser, snippets, vlan } from '../domain/cluster-terms.ts';
import {
  type ClusterRow,
  clusterRows,
  deleteCluster,
  insertCluster,
  lockCluster,
  machinesInCluster,
  updateCluster,
} from '../entities/cluster.ts';
import { lockPlacements, standingPlacements } from '../entities/placement.ts';
import { HypervisorTrouble } from '../providers/hypervisor.ts';
import { type Cluster, type ClusterSecrets, type ClusterTerms, clusterPlace, termsOf } from '../providers/cluster-book.ts';
import { machineName } from './vps-machine.ts';

const text = z.string().trim().min(1).max(200);
/** What is typed of a cluster. What is absent is as in the settings, or stays as it is. */
const wished = z
  .object({
    url: z
      .url({ protocol: /^https?$/, error: 'must be an address such as https://pve.example.com:8006' })
      .transform((url) => url.replace(/\/$/, '')),
    token: apiToken,
    authorities: z.string().includes('-----BEGIN CERTIFICATE-----', { error: 'must be certificates as PEM' }).max(100_000),
    consoleUser,
    consolePassword: z.string().min(1).max(200),
    location: z.string().trim().max(60),
    addresses: addressRange,
    gateway: z.ipv4('must be an IPv4 address'),
    bridge: text,
    vlan,
    backupStorage: text,
    isoStorage: text,
    snippets,
  })
  .partial();
export type ClusterWish = z.input<typeof wished>;

const unfit = (field: string, words: string): Failure => fail('parameter_invalid', { field, reason: because('cluster_unfit', { words }) });

function read(wish: ClusterWish) {
  const parsed = wished.safeParse(wish);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? 'name');
  throw unfit(field, `${field} ${issue?.message}`);
}

/** Every cluster with how many machines of ours it has. */
export async function listClusters(ctx: MachinesContext): Promise<(Cluster & { machines: number })[]> {
  const { datacenter } = ctx.providers;
  // A command sees what another process has changed just now.
  datacenter?.clusters.forget();
  const found: (Cluster & { machines: number })[] = [];
  for (const cluster of (await datacenter?.clusters.all()) ?? [])
    found.push({ ...cluster, machines: await machinesInCluster(ctx.em, cluster.name) });
  return found;
}

/** Adds a cluster. Errors: servers_not_sold, parameter_invalid. */
export async function addCluster(ctx: MachinesContext, name: string, wish: ClusterWish): Promise<void> {
  if (!CLUSTER_NAME.test(name)) throw unfit('name', 'its name has up to 32 small letters, digits and hyphens, and is not main');
  const { url, token, consolePassword, location = '', ...own } = read(wish);
  if (url === undefined || token === undefined) throw unfit(url === undefined ? 'url' : 'token', 'it needs its address and a token');
  const terms: ClusterTerms = { url, ...own };
  const secrets: ClusterSecrets = { token, ...(consolePassword !== undefined && { consolePassword }) };
  await mustBeFit(ctx, name, terms, secrets);
  await inTransaction(ctx, async ({ em, clock, providers }) => {
    const secretsSealed = seal(JSON.stringify(secrets), providers.sealing, clusterPlace(name));
    if (!(await insertCluster(em, { name, location, paused: false, terms, secretsSealed }, clock.now())))
      throw unfit('name', `there is a cluster ${name} already`);
  });
  ctx.providers.datacenter?.clusters.forget();
}

/** Changes what is given of a cluster; of the first, only its location. Errors: servers_not_sold, cluster_not_found, parameter_invalid. */
export async function changeCluster(ctx: MachinesContext, name: string, wish: ClusterWish): Promise<void> {
  const { location, token, consolePassword, ...given } = read(wish);
  const { sealing } = ctx.providers;
  const isOther = Object.keys(given).length > 0 || token !== undefined || consolePassword !== undefined;
  // Whoever gives it another address must not be sent its secrets by that.
  const isElsewhere = given.url !== undefined || given.authorities !== undefined;
  const merged = (row: ClusterRow) => {
    if (!row.secretsSealed) throw fail('parameter_invalid', { field: 'name', reason: because('cluster_of_settings') });
    const before = JSON.parse(unseal(row.secretsSealed, sealing, clusterPlace(name))) as ClusterSecrets;
    const secrets = { ...before, ...(token !== undefined && { token }), ...(consolePassword !== undefined && { consolePassword }) };
    const terms = { ...(row.terms as ClusterTerms), ...given };
    if (isElsewhere && token === undefined) throw unfit('token', 'with another address it needs its token again');
    if (isElsewhere && terms.consoleUser !== undefined && consolePassword === undefined)
      throw unfit('consolePassword', 'with another address it needs the password of its consoles again');
    return { terms, secrets };
  };
  const known = (await clusterRows(ctx.em)).find((row) => row.name === name);
  if (!known) throw fail('cluster_not_found');
  if (isOther) {
    const { terms, secrets } = merged(known);
    await mustBeFit(ctx, name, terms, secrets);
  }
  await changed(ctx, name, async ({ em }, row) => {
    if (location !== undefined) {
      await updateCluster(em, name, { location });
      // Whoever has chosen the place goes with its new name, unless the former one still leads somewhere.
      const [from, to] = [locationOf(row), locationOf({ location })];
      if (!(await clusterRows(em)).some((cluster) => locationOf(cluster) === from)) await renameLocation(em, from, to);
    }
    if (!isOther) return;
    const { terms, secrets } = merged(row);
    await updateCluster(em, name, { terms, secretsSealed: seal(JSON.stringify(secrets), sealing, clusterPlace(name)) });
  });
}

/** Whether a cluster gets new machines; those that are there go on. Errors: cluster_not_found. */
export const pauseCluster = (ctx: MachinesContext, name: string, paused: boolean): Promise<void> =>
  changed(ctx, name, ({ em }) => updateCluster(em, name, { paused }));

/** Removes a cluster that has no machine of ours. Errors: cluster_not_found, parameter_invalid. */
export const removeCluster = (ctx: MachinesContext, name: string): Promise<void> =>
  changed(ctx, name, async ({ em }) => {
    if (name === MAIN) throw fail('parameter_invalid', { field: 'name', reason: because('cluster_of_settings') });
    const machines = await machinesInCluster(em, name);
    if (machines > 0) throw fail('parameter_invalid', { field: 'name', reason: because('cluster_kept', { name, machines }) });
    await deleteCluster(em, name);
  });

async function changed(ctx: MachinesContext, name: string, work: (tx: MachinesContext, row: ClusterRow) => Promise<void>): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    // A build that is being placed has its place, or none here any more.
    await lockPlacements(tx.em);
    const row = await lockCluster(tx.em, name);
    if (!row) throw fail('cluster_not_found');
    await work(tx, row);
  });
  ctx.providers.datacenter?.clusters.forget();
}

/** Asks the cluster, and compares it with the others: it must be one of its own, and the one in which our machines of it are. */
async function mustBeFit(ctx: MachinesContext, name: string, terms: ClusterTerms, secrets: ClusterSecrets): Promise<void> {
  const { datacenter } = ctx.providers;
  if (!datacenter) throw fail('servers_not_sold');
  if ((terms.addresses === undefined) !== (terms.gateway === undefined))
    throw unfit('gateway', 'addresses and their gateway belong together');
  if ((terms.consoleUser === undefined) !== (secrets.consolePassword === undefined))
    throw unfit('consoleUser', 'the user of consoles and their password belong together');
  const others = (await datacenter.clusters.all()).filter((cluster) => cluster.name !== name);
  const same = others.find((cluster) => cluster.terms.url === terms.url);
  if (same) throw unfit('url', `it is the address of the cluster ${same.name}`);
  const own = terms.addresses ?? datacenter.terms.addresses;
  // Clusters in one network may share a whole range.
  const shared = others.find(
    ({ terms: { addresses } }) => (own.first !== addresses.first || own.last !== addresses.last) && overlap(own, addresses),
  );
  if (shared) throw unfit('addresses', `some of its addresses are those of the cluster ${shared.name}`);
  const { hypervisor, close } = datacenter.clusters.try(termsOf(datacenter.terms, terms, secrets));
  try {
    const [nodes, machines] = await Promise.all([hypervisor.nodes(), hypervisor.machines()]);
    if (!nodes.some(({ online }) => online)) throw unfit('url', 'none of its nodes is online');
    const placements = await standingPlacements(ctx.em);
    const found = new Set(machines.map((machine) => `${machine.number} ${machine.name}`));
    const isThere = ({ number, serverId }: (typeof placements)[number]) => found.has(`${number} ${machineName({ id: serverId })}`);
    const elsewhere = placements.find((one) => clusterOf(one.node) !== name && isThere(one));
    if (elsewhere) throw unfit('url', `it is the cluster ${clusterOf(elsewhere.node)}: machine ${elsewhere.number} is there`);
    const ours = placements.filter(({ node }) => clusterOf(node) === name);
    if (ours.length > 0 && !ours.some(isThere))
      throw unfit('url', `it is another cluster: none of the ${ours.length} machines of ${name} is there`);
  } catch (error) {
    throw error instanceof HypervisorTrouble ? unfit('url', error.message) : error;
  } finally {
    await close();
  }
}
