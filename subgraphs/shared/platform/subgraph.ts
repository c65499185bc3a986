// A subgraph, as its folder defines it and as a process runs it: a schema, a context per call, its jobs and its readers of the event log.
import type { EntitySchema } from '@mikro-orm/core';
import type { GraphQLSchema } from 'graphql';
import type { Pool } from 'pg';
import { contractOf } from '../../../schema/contracts.ts';
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

/** A subgraph from the side of its callers. The same object is used in process and over HTTP. */
export interface Subgraph {
  name: string;
  schema: GraphQLSchema;
  /** A new unit of work for one call of this viewer; `signal` aborts with the caller. */
  context(viewer: Viewer, signal?: AbortSignal): object;
}

/** Gauges that are read with a new unit of work, as of `now`. */
export type RoomFigures = Figures<{ em: EntityManager; now: Date }>;

export interface SubgraphDefinition<Providers, Parts extends object = object> {
  name: SubgraphName;
  /** Loads the schema and all its resolvers, which commands do without: a third of what a process loads. */
  schema: () => Promise<GraphQLSchema>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- entities of any shape
  entities: EntitySchema<any>[];
  /** The columns that are sealed with the platform's secret. */
  sealed: readonly SealedColumn[];
  /** Which personal data its tables hold, and how long it is kept: one entry per table. */
  kept: readonly KeptTable[];
  /** Its gauges for Prometheus. */
  figures: readonly RoomFigures[];
  /** Checks whether its outside systems are set up as it needs them. */
  checks?: (ctx: Context<Providers>, mode: CheckMode) => Promise<VendorFinding[]>;
  /** Clients of outside systems, and settings; created once per process. `closing` collects what must be closed, `em` gives a unit of work for reading. */
  providers(platform: Platform, closing: (close: () => Promise<void>) => void, em: () => EntityManager): Providers | Promise<Providers>;
  jobs: JobTable<Context<Providers>>;
  /** Reactions to events of other subgraphs; each event is handled once, in the transaction of `ctx.em`. */
  reactions: Reactions<Context<Providers>>;
  /** Further readers of the log, by name, each with its own cursor: a failure in one does not block the others. */
  readers?: Readonly<Record<string, Reactions<Context<Providers>>>>;
  /** Its paths on the public port, in the gateway's process. */
  doors?: OpenDoors;
  /** Paths that it serves where it runs: on its own port when it has its own process, else on the public port. Each authenticates its callers itself. */
  routes?: (context: (part: string) => Context<Providers>, platform: Platform) => readonly Route[];
  /** The prefixes of those paths; gateways in other processes forward them. */
  paths?: readonly string[];
  /** Its parts of answers that several subgraphs give together, each where it runs. */
  parts?: (context: (part: string) => Context<Providers>, platform: Platform) => Parts;
}

/** A subgraph's use cases without its graph: what a command needs. */
export interface OpenSubgraph<Providers> {
  context(viewer: Viewer, signal?: AbortSignal): Context<Providers>;
  /** A context with an internal viewer, for commands, seeds and jobs. */
  systemContext(name: string): Context<Providers>;
  /** The state of its outside systems; empty when it has none. */
  check(mode?: CheckMode): Promise<VendorFinding[]>;
  /** Closes what was opened. */
  close(): Promise<void>;
}

export interface RunningSubgraph<Providers = unknown, Parts extends object = object> extends Subgraph, OpenSubgraph<Providers> {
  context(viewer: Viewer, signal?: AbortSignal): Context<Providers>;
  reader: Reader;
  /** What its definition declares, created once. */
  routes: readonly Route[];
  parts: Parts;
  /** Takes no further jobs and events. Resolves when those in progress have ended, or their time is up. */
  rest(): Promise<void>;
  /** Does `rest`, then closes what was opened. */
  close(): Promise<void>;
}

const NEVER = new AbortController().signal;

/** Opens a subgraph's connections and providers. `patient`: as in `GuardOptions`. */
export async function openSubgraph<Providers, Parts extends object = object>(
  platform: Platform,
  definition: SubgraphDefinition<Providers, Parts>,
  { patient }: { patient: boolean },
): Promise<OpenSubgraph<Providers> & { em: () => EntityManager }> {
  const { name } = definition;
  await using opened = new AsyncDisposableStack();
  const orm = await openDatabase({
    url: platform.databaseUrl,
    schema: name,
    entities: definition.entities,
    pool: platform.config.DATABASE_POOL,
    waitMs: platform.config.DATABASE_WAIT_MS,
    log: platform.log,
    patient,
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

  const pool = (await em().getConnection().getNativeClient()) as Pool;
  const context = (viewer: Viewer, signal: AbortSignal = NEVER): Context<Providers> => {
    let begun: EntityManager | undefined;
    return {
      viewer,
      // Before `pool`, so that a copy of the context, for a transaction, has begun its unit of work and has none.
      get em() {
        return (begun ??= em());
      },
      get pool() {
        return begun ? undefined : pool;
      },
      clock,
      jobs,
      events,
      providers,
      log,
      signal,
    };
  };
  const systemContext = (part: string) => context(systemViewer(`${name} ${part}`, newId('req', clock)));
  let isOpen = true;
  opened.defer(() => void (isOpen = false));
  const closing = opened.move();
  return {
    em,
    context,
    systemContext,
    async check(mode = 'check') {
      const found = (await definition.checks?.(systemContext('check'), mode)) ?? [];
      // Results of a check that ran while the subgraph was closed are worthless.
      return isOpen ? found : [];
    },
    close: () => closing.disposeAsync(),
  };
}

/** Starts a subgraph in this process: its graph, workers and readers. `work: false` leaves jobs and events to other processes. */
export async function startSubgraph<Providers, Parts extends object = object>(
  platform: Platform,
  definition: SubgraphDefinition<Providers, Parts>,
  options: { work?: boolean } = {},
): Promise<RunningSubgraph<Providers, Parts>> {
  await using opened = new AsyncDisposableStack();
  const schema = tellingContract(await definition.schema(), contractOf(definition.name));
  const open = await openSubgraph(platform, definition, { patient: options.work === false });
  opened.defer(open.close);
  const { em, context, systemContext, check } = open;

  let reader: Reader = { drain: async () => {}, close: async () => {} };
  const work = new AsyncDisposableStack();
  opened.use(work);
  if (options.work !== false) {
    work.defer(await platform.queue.work(definition.jobs, ({ name: job }) => systemContext(job)));
    reader = await startReaders(platform, definition, { em, work, context: () => systemContext('events') });
  }
  const closing = opened.move();
  return {
    name: definition.name,
    schema,
    context,
    systemContext,
    check,
    reader,
    routes: definition.routes?.(systemContext, platform) ?? [],
    parts: definition.parts?.(systemContext, platform) ?? ({} as Parts),
    rest: () => work.disposeAsync(),
    close: () => closing.disposeAsync(),
  };
}

/** Gateways that ask for the contract get it as it is written: what code prints says neither what a field costs nor who may ask for it. */
function tellingContract(schema: GraphQLSchema, contract: string): GraphQLSchema {
  const field = schema.getQueryType()?.getFields()['_service'];
  if (field) field.resolve = () => ({ sdl: contract });
  return schema;
}

interface Reading<Providers> {
  em: () => EntityManager;
  /** Collects what stops each reader. */
  work: AsyncDisposableStack;
  context: () => Context<Providers>;
}

/** The subgraph's main reader and its further ones, as one. */
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
