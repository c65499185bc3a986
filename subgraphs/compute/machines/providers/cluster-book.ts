// The clusters of the hypervisor as they are stored, each with its own calls. Another process may change them: they are read again every few seconds.
import { type Clock, SECOND } from '#platform/clock.ts';
import type { EntityManager } from '#platform/database.ts';
import { type SealingKeys, unseal } from '#platform/sealing.ts';
import { MAIN, clusterOf } from '../domain/cluster.ts';
import { type ClusterRow, clusterRows } from '../entities/cluster.ts';
import type { HypervisorTerms } from '../hypervisor-configuration.ts';
import { type Hypervisor, HypervisorTrouble } from './hypervisor.ts';
import { qualified } from './qualified.ts';

export interface Cluster {
  name: string;
  location: string;
  /** It gets no new machines. */
  paused: boolean;
  silentSince: Date | null;
  trouble: string | null;
  triedAt: Date | null;
  terms: HypervisorTerms;
  hypervisor: Hypervisor;
}

export interface ClusterBook {
  /** Every cluster, the first one first. */
  all(): Promise<Cluster[]>;
  /** The cluster of a node or a task, or by default the first. Throws HypervisorTrouble when there is none of that name. */
  of(named?: string | null): Promise<Cluster>;
  /** Opens a cluster that is not stored, to look at it. */
  try(terms: HypervisorTerms): Connected;
  /** What has changed is read at the next call. */
  forget(): void;
  close(): Promise<void>;
}

/** What is stored of a cluster besides its name; what is absent is as in the settings. */
export type ClusterTerms = Pick<HypervisorTerms, 'url'> &
  Partial<
    Pick<HypervisorTerms, 'authorities' | 'addresses' | 'gateway' | 'bridge' | 'vlan' | 'backupStorage' | 'isoStorage' | 'snippets'>
  > & {
    consoleUser?: string;
  };
export interface ClusterSecrets {
  token: string;
  consolePassword?: string;
}

/** The context to which the secrets of a cluster are sealed. */
export const clusterPlace = (name: string): string => `cluster ${name}`;

/** What a cluster has in common with the first: nothing that belongs to one place only. */
function inherited({ authorities: _a, console: _c, snippets: _s, vlan: _v, isoStorage: _i, ...main }: HypervisorTerms) {
  return main;
}

export function termsOf(main: HypervisorTerms, terms: ClusterTerms, { token, consolePassword }: ClusterSecrets): HypervisorTerms {
  const { consoleUser, ...own } = terms;
  return {
    ...inherited(main),
    ...own,
    token,
    ...(consoleUser !== undefined && consolePassword !== undefined && { console: { user: consoleUser, password: consolePassword } }),
  };
}

const READ_AGAIN_MS = 5 * SECOND;

export interface Connected {
  hypervisor: Hypervisor;
  close(): Promise<void>;
}

interface BookParts {
  main: HypervisorTerms;
  sealing: SealingKeys;
  clock: Clock;
  em: () => EntityManager;
  /** Opens the calls to a cluster, with their limits. */
  connect(name: string, terms: HypervisorTerms): Connected;
}

export function openClusterBook({ main, sealing, clock, em, connect }: BookParts): ClusterBook {
  const open = new Map<string, Connected & { terms: HypervisorTerms; signature: string }>();
  let known: Promise<Cluster[]> | undefined;
  let readAt = 0;

  function toCluster({ terms: stored, secretsSealed, ...row }: ClusterRow): Cluster {
    const signature = JSON.stringify(stored) + (secretsSealed?.toString('hex') ?? '');
    let live = open.get(row.name);
    if (live?.signature !== signature) {
      // Calls that are under way at the former address end by themselves.
      void live?.close();
      const terms = secretsSealed
        ? termsOf(main, stored as ClusterTerms, JSON.parse(unseal(secretsSealed, sealing, clusterPlace(row.name))) as ClusterSecrets)
        : main;
      const { hypervisor, close } = connect(row.name, terms);
      live = { hypervisor: row.name === MAIN ? hypervisor : qualified(row.name, hypervisor), close, terms, signature };
      open.set(row.name, live);
    }
    return { ...row, terms: live.terms, hypervisor: live.hypervisor };
  }

  async function read(): Promise<Cluster[]> {
    const rows = await clusterRows(em());
    for (const [name, { close }] of open)
      if (!rows.some((row) => row.name === name)) {
        open.delete(name);
        void close();
      }
    return rows.map(toCluster);
  }

  const book: ClusterBook = {
    all() {
      const now = clock.now().getTime();
      if (known && now - readAt < READ_AGAIN_MS) return known;
      readAt = now;
      known = read();
      known.catch(() => (known = undefined));
      return known;
    },
    async of(named) {
      const name = named ? clusterOf(named) : MAIN;
      const found = (await book.all()).find((cluster) => cluster.name === name);
      if (!found) throw new HypervisorTrouble(`there is no cluster ${name}`);
      return found;
    },
    try: (terms) => connect('new', terms),
    forget: () => void (known = undefined),
    async close() {
      await Promise.all([...open.values()].map(({ close }) => close()));
    },
  };
  return book;
}
