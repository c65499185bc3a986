// The commands on clusters of `npm run --silent hypervisor -- COMMAND ...`.
import { readFile } from 'node:fs/promises';
import { type ClusterWish, addCluster, changeCluster, listClusters, pauseCluster, removeCluster } from '../machines/services/clusters.ts';
import type { MachinesContext } from '../machines/context.ts';
import { table } from '#platform/desk-command.ts';

/** The options of commands on clusters, by the field that they set; the text of those that name a file is what the file has. */
const FIELDS = {
  url: 'url',
  'token-file': 'token',
  'ca-file': 'authorities',
  'console-user': 'consoleUser',
  'console-password-file': 'consolePassword',
  location: 'location',
  addresses: 'addresses',
  gateway: 'gateway',
  bridge: 'bridge',
  vlan: 'vlan',
  'backup-storage': 'backupStorage',
  'iso-storage': 'isoStorage',
  snippets: 'snippets',
} as const satisfies Record<string, keyof ClusterWish>;
export const CLUSTER_OPTIONS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];
export type ClusterWords = Partial<Record<keyof typeof FIELDS, string | undefined>>;

export const CLUSTER_USAGE = `  clusters
  add-cluster NAME --url URL --token-file FILE [options]
  change-cluster NAME [options]
  pause-cluster NAME            it gets no new machines; those that are there go on
  resume-cluster NAME
  remove-cluster NAME           one that has no machine of ours
  --location TEXT               its town or region
  --ca-file FILE                the authorities that sign its certificates, as PEM
  --console-user USER@REALM --console-password-file FILE
  --addresses FIRST-LAST/BITS --gateway ADDRESS   its own; without them those of the settings
  --bridge, --vlan, --backup-storage, --iso-storage NAME, --snippets STORAGE:FOLDER`;

/** What a command on clusters needs beyond its words. */
interface Wanted {
  name: string | undefined;
  words: ClusterWords;
  /** Makes the error for a file that cannot be read. */
  refuse(sentence: string): Error;
}

async function wishOf({ words, refuse }: Wanted): Promise<ClusterWish> {
  const wish: Record<string, string> = {};
  for (const [option, field] of Object.entries(FIELDS)) {
    const word = words[option as keyof typeof FIELDS];
    if (word === undefined) continue;
    wish[field] = option.endsWith('-file')
      ? (
          await readFile(word, 'utf8').catch((error: Error) => {
            throw refuse(`${word} cannot be read: ${error.message}`);
          })
        ).trim()
      : word;
  }
  return wish;
}

async function show(ctx: MachinesContext): Promise<string> {
  const clusters = await listClusters(ctx);
  return table(
    clusters.map(({ name, location, terms, paused, silentSince, trouble, machines }) => [
      ...[name, location || null, terms.url, paused ? 'no new machines' : 'in use', machines],
      silentSince ? `silent since ${silentSince.toISOString()}: ${trouble}` : 'answers',
    ]),
  );
}

/** Runs a command on clusters, and returns what it says; undefined: it is none, or lacks its name. */
export async function runClusterCommand(ctx: MachinesContext, command: string, wanted: Wanted): Promise<string | undefined> {
  const { name } = wanted;
  if (command === 'clusters') return show(ctx);
  if (name === undefined) return undefined;
  switch (command) {
    case 'add-cluster':
      await addCluster(ctx, name, await wishOf(wanted));
      return `${name} is in use. Its templates: npm run --silent hypervisor -- prepare --cluster ${name}`;
    case 'change-cluster':
      await changeCluster(ctx, name, await wishOf(wanted));
      return `${name} is changed.`;
    case 'pause-cluster':
      await pauseCluster(ctx, name, true);
      return `${name} gets no new machines.`;
    case 'resume-cluster':
      await pauseCluster(ctx, name, false);
      return `${name} gets new machines again.`;
    case 'remove-cluster':
      await removeCluster(ctx, name);
      return `${name} is removed.`;
    default:
      return undefined;
  }
}
