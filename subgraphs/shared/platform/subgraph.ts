// A subgraph, as its own folder defines it and as a process runs it: a schema, a context for each call, its jobs and its reader of the event log.
import type { EntitySchema } from '@mikro-orm/core';
import type { GraphQLSchema } from 'graphql';
import type { SubgraphName } from '../../../schema/subgraphs.ts';
import type { Context } from './context.ts';
import { type EntityManager, openDatabase } from './database.ts';
import type { OpenDoors } from './doors.ts';
import { type Reader, startDurableReader } from './event-reader.ts';
import { type Figures, registerFigures } from './figures.ts';
import type { KeptTable } from './kept-data.ts';
import { type SealedColumn, checkSealing } from './sealed-columns.ts';
import { newId } from './ids.ts';
import { type Viewer, systemViewer } from './identity.ts';
import type { JobTable } from './jobs.ts';
import type { Platform } from './platform.ts';
import { type Reactions, react } from './reactions.ts';
import type { Route } from './route.ts';
import type { CheckMode, VendorFinding } from './vendor-check.ts';

/** What a subgraph is to those who call it. The same object serves in process and over HTTP. */
export interface Subgraph {
  name: string;
  schema: GraphQLSchema;
  /** A unit of work for one call of this viewer; `signal` aborts with the caller. */
  context(viewer: Viewer, signal?: AbortSignal): object;
}

/** Read by a unit of work of its own, as of `now`. */
export type RoomFigures = Figures<{ em: EntityManager; now: Date }>;

export interface SubgraphDefinition<Providers, Parts extends object = object> {
  name: SubgraphName;
  schema: GraphQLSchema;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- entities of any shape
  entities: EntitySchema<any>[];
  /** What of its tables is sealed with the platform's secret. */
  sealed: readonly SealedColumn[];
  /** What of people its tables hold, and how long: each of them once. */
  kept: readonly KeptTable[];
  /** What Prometheus is told of its state. */
  figures: readonly RoomFigures[];
  /** Whether its outside systems are set up as it needs them. */
  checks?: (ctx: Context<Providers>, mode: CheckMode) => Promise<VendorFinding[]>;
  /** Outside systems and settings; made once per process. `closing` collects what must be closed, `em` gives a unit of work for reading. */
  providers(platform: Platform, closing: (close: () => Promise<void>) => void, em: () => EntityManager): Providers | Promise<Providers>;
  jobs: JobTable<Context<Providers>>;
  /** Facts of other subgraphs, each handled once, in the transaction of `ctx.em`. */
  reactions: Reactions<Context<Providers>>;
  /** Further readers of the log by name, each with a cursor of its own: what fails in one holds up nothing in the others. */
  readers?: Readonly<Record<string, Reactions<Context<Providers>>>>;
  /** Paths on the public port, in the gateway's process. */
  doors?: OpenDoors;
  /** Paths that it answers itself where it runs: on its own port in a process of its own, else on the public one. Each checks by itself who calls. */
  routes?: (context: (part: string) => Context<Providers>, platform: Platform) => readonly Route[];
  /** What the paths of those begin with: gateways in other processes send them there. */
  paths?: readonly string[];
  /** Its parts of what several subgraphs answer together, each where it runs. */
  parts?: (context: (part: string) => Context<Providers>, platform: Platform) => Parts;
}

export interface RunningSubgraph<Providers = unknown, Parts extends object = object> extends Subgraph {
  context(viewer: Viewer, signal?: AbortSignal): Context<Providers>;
  /** A context of the platform's own, for commands, seeds and jobs. */
  systemContext(name: string): Context<Providers>;
  reader: Reader;
  /** What its outside systems are like now; nothing for one that has none. */
  check(mode?: CheckMode): Promise<VendorFinding[]>;
  /** What its definition says, made once. */
  routes: readonly Route[];
  parts: Parts;
  /** Takes no further jobs and events; resolves when those under way are done, or have had their time. */
  rest(): Promise<void>;
  /** `rest`, and closes what was opened. */
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;

/** Starts a subgraph in this process: connections, providers, workers, reader. `work: false` leaves jobs and events to other processes. */
export async function startSubgraph<Providers, Parts extends object = object>(
  platform: Platform,
  definition: SubgraphDefinition<Providers, Parts>,
  options: { work?: boolean } = {},
): Promise<RunningSubgraph<Providers, Parts>> {
  const { name, schema } = definition;
  await using opened = new AsyncDisposableStack();
  const orm = await openDatabase({
    url: platform.databaseUrl,
    schema: name,
    entities: definition.entities,
    pool: platform.config.DATABASE_POOL,
    waitMs: platform.config.DATABASE_WAIT_MS,
    log: platform.log,
    patient: options.work === false,
  });
  opened.defer(() => orm.close());
  const em = () => orm.em.fork() as EntityManager;
  await checkSealing(em(), name, definition.sealed, platform.secrets.sealing);
  const providers = await definition.providers(platform, (close) => opened.defer(close), em);
  const {
    clock,
    log,
    feed: events,
    queue: { jobs },
  } = platform;

  for (const figures of definition.figures) registerFigures(platform.metrics.registry, figures, () => ({ em: em(), now: clock.now() }));

  const context = (viewer: Viewer, signal: AbortSignal = NEVER): Context<Providers> => ({
    viewer,
    em: em(),
    clock,
    jobs,
    events,
    providers,
    log,
    signal,
  });
  const systemContext = (part: string) => context(systemViewer(`${name} ${part}`, newId('req', clock)));

  let reader: Reader = { drain: async () => {}, close: async () => {} };
  const work = new AsyncDisposableStack();
  opened.use(work);
  if (options.work !== false) {
    work.defer(await platform.queue.work(definition.jobs, ({ name: job }) => systemContext(job)));
    reader = await startReaders(platform, definition, { em, work, context: () => systemContext('events') });
  }
  let isOpen = true;
  opened.defer(() => void (isOpen = false));
  const closing = opened.move();
  return {
    name,
    schema,
    context,
    systemContext,
    async check(mode = 'check') {
      const found = (await definition.checks?.(systemContext('check'), mode)) ?? [];
      // What was closed while it was asked says nothing.
      return isOpen ? found : [];
    },
    reader,
    routes: definition.routes?.(systemContext, platform) ?? [],
    parts: definition.parts?.(systemContext, platform) ?? ({} as Parts),
    rest: () => work.disposeAsync(),
    close: () => closing.disposeAsync(),
  };
}

interface Reading<Providers> {
  em: () => EntityManager;
  /** Ends them, each by itself. */
  work: AsyncDisposableStack;
  context: () => Context<Providers>;
}

/** The subgraph's own reader and its further ones, as one. */
async function startReaders<Providers>(
  { clock, log, notifications }: Platform,
  { name, reactions, readers: further = {} }: Pick<SubgraphDefinition<Providers>, 'name' | 'reactions' | 'readers'>,
  { em, work, context }: Reading<Providers>,
): Promise<Reader> {
  const readers: Reader[] = [];
  const tables = [[name, reactions] as const, ...Object.entries(further).map(([part, own]) => [`${name}.${part}`, own] as const)];
  for (const [own, table] of tables) {
    const reader = await startDurableReader({
      name: own,
      em,
      log,
      clock,
      notifications,
      reacts: (type) => Object.hasOwn(table, type),
      handle: (manager, event) => react(table, { ...context(), em: manager }, event),
    });
    work.defer(() => reader.close());
    readers.push(reader);
  }
  return {
    drain: async () => void (await Promise.all(readers.map((each) => each.drain()))),
    close: async () => void (await Promise.all(readers.map((each) => each.close()))),
  };
}
