// Prepared operations: planned and compiled once per text and graph. The gateway's own documents are planned at once, those of callers through the planner.
import type { FieldNode } from 'graphql';
import type { Viewer } from '#platform/identity.ts';
import { Lru } from '#platform/lru.ts';
import type { Executor, PlannedOperation, RunnableOperation } from './execution/executor.ts';
import type { Graph } from './graph.ts';
import { type Cost, generationsOf } from './cost.ts';
import { type Introspection, introspectionOf, rootFields } from './limits.ts';
import { planDocument, readPlanned } from './planning/plan-document.ts';
import { type Planner, planningCallerOf } from './planning/planner.ts';
import { QueryRefused } from './planning/query-refused.ts';
import { tierOf } from './shown-schemas.ts';

/** An operation that can run any number of times. */
export interface PreparedOperation extends PlannedOperation {
  kind: 'query' | 'mutation' | 'subscription';
  name: string | undefined;
  /** The name by which it was chosen among the operations of its document; undefined: its document has only one. */
  askedBy: string | undefined;
  /** Its root fields, as rootFields lists them. */
  roots: readonly FieldNode[];
  cost: Cost;
  /** Whether the operation asks for the schema. */
  introspection: Introspection;
  /** How often the operation generates proxy lines. */
  generations: number;
  runnable: RunnableOperation;
}

/**
 * Characters of the prepared operations that are cached; in memory they take some 300 times that in bytes. Refused operations are cached too, so that repeating one is cheap.
 * Operations of callers without an account have a cache of their own, so that they cannot displace those that customers use, and so have documents of our own: those of
 * REST, MCP and pages take a fifth of it.
 */
const CACHED_CHARACTERS = { own: 262_144, known: 262_144, unknown: 65_536 };

export interface Operations {
  /** Prepares a document of our own at once, in this thread. Throws QueryRefused. `operationName` chooses among several operations of one document. */
  prepare(text: string, operationName?: string): PreparedOperation;
  /** Prepares a document from outside. Rejects as `prepare` throws and as Planner.plan rejects. */
  prepareFor(viewer: Viewer, text: string, operationName?: string): Promise<PreparedOperation>;
  /** The same operation on the present graph, where it is known; else as it is: it ends on the graph on which it began. */
  onPresent(operation: PreparedOperation): PreparedOperation;
  /** The same, planned when it is not known. Rejects with QueryRefused when the present graph does not answer it. */
  renew(operation: PreparedOperation): Promise<PreparedOperation>;
  /**
   * Prepares on another graph what is in use: our own documents, and those of callers with an account that are cached. Returns what makes that graph's operations
   * the present ones. Rejects with QueryRefused when the graph does not answer one of our own, and with an Error when it cannot be planned on.
   */
  ready(graph: Graph): Promise<() => void>;
}

export const createOperations = (graph: Graph, executor: Executor, planner: Planner): Operations =>
  new PreparedOperations(graph, executor, planner);

/** What is prepared on one graph. */
class OperationsOf {
  readonly graph: Graph;
  readonly cache = new OperationCache();
  readonly own = new Lru<PreparedOperation>(CACHED_CHARACTERS.own, weigh);

  constructor(graph: Graph) {
    this.graph = graph;
  }
}

class PreparedOperations implements Operations {
  readonly #executor: Executor;
  readonly #planner: Planner;
  #present: OperationsOf;

  constructor(graph: Graph, executor: Executor, planner: Planner) {
    this.#executor = executor;
    this.#planner = planner;
    this.#present = new OperationsOf(graph);
  }

  prepare(text: string, operationName?: string): PreparedOperation {
    const { graph, cache, own } = this.#present;
    const key = keyOf(text, operationName);
    const found = own.get(key) ?? cache.get(key, true);
    if (found) return orRefuse(found);
    let result: PreparedOperation | QueryRefused;
    try {
      const { cost, ...planned } = planDocument(graph, text, operationName);
      result = this.#runnable({ graph, text, ...planned }, cost, operationName);
      own.set(key, result);
    } catch (error) {
      result = refusalOf(error);
      cache.set(key, true, result);
    }
    return orRefuse(result);
  }

  async prepareFor(viewer: Viewer, text: string, operationName?: string): Promise<PreparedOperation> {
    // Until the end: what was planned for a graph is cached for no other.
    const { graph, cache, own } = this.#present;
    const caller = planningCallerOf(viewer);
    const key = keyOf(text, operationName);
    const found = own.peek(key) ?? cache.get(key, caller.known);
    if (found) return orRefuse(found, viewer, graph);
    const plan = this.#planner.plan({ text, operationName }, caller, graph.sdl);
    const result = await this.#planned(graph, text, operationName, plan).catch(refusalOf);
    cache.set(key, caller.known, result);
    return orRefuse(result, viewer, graph);
  }

  onPresent(operation: PreparedOperation): PreparedOperation {
    const { graph, own, cache } = this.#present;
    if (operation.graph === graph) return operation;
    const key = keyOf(operation.text, operation.askedBy);
    const found = own.peek(key) ?? cache.get(key, true);
    return found instanceof QueryRefused ? operation : (found ?? operation);
  }

  async renew(operation: PreparedOperation): Promise<PreparedOperation> {
    const found = this.onPresent(operation);
    return found.graph === this.#present.graph ? found : this.#ahead(this.#present.graph, operation);
  }

  async ready(graph: Graph): Promise<() => void> {
    const { own, cache } = this.#present;
    const next = new OperationsOf(graph);
    try {
      // Also when nothing is in use: a graph on which nothing can be planned is none.
      await this.#planner.planAhead({ text: '{ __typename }', operationName: undefined }, graph.sdl);
      for (const [key, operation] of [...own.entries()]) next.own.set(key, await this.#ahead(graph, operation));
      for (const [key, operation] of [...cache.known()])
        if (!(operation instanceof QueryRefused)) next.cache.set(key, true, await this.#ahead(graph, operation).catch(refusalOf));
    } catch (error) {
      this.#planner.settle(graph.sdl, false);
      throw error;
    }
    return () => {
      this.#planner.settle(graph.sdl, true);
      this.#present = next;
    };
  }

  #ahead(graph: Graph, { text, askedBy }: PreparedOperation): Promise<PreparedOperation> {
    return this.#planned(graph, text, askedBy, this.#planner.planAhead({ text, operationName: askedBy }, graph.sdl));
  }

  async #planned(
    graph: Graph,
    text: string,
    operationName: string | undefined,
    planning: Promise<PlannedOperation['plan']>,
  ): Promise<PreparedOperation> {
    const plan = await planning;
    const { cost, ...read } = readPlanned(graph, text, operationName);
    return this.#runnable({ graph, text, plan, ...read }, cost, operationName);
  }

  #runnable(planned: PlannedOperation, cost: Cost, askedBy: string | undefined): PreparedOperation {
    const { operation } = planned;
    const roots = rootFields(planned);
    return {
      ...planned,
      kind: operation.operation,
      name: operation.name?.value,
      askedBy,
      roots,
      cost,
      introspection: introspectionOf(operation, roots),
      generations: generationsOf(planned.graph, roots),
      runnable: this.#executor.compile(planned),
    };
  }
}

type Cached = PreparedOperation | QueryRefused;

class OperationCache {
  readonly #known = new Lru<Cached>(CACHED_CHARACTERS.known, weigh);
  readonly #unknown = new Lru<Cached>(CACHED_CHARACTERS.unknown, weigh);

  /** `known`: the caller has an account. An operation that was cached for strangers then moves to the customers' cache. */
  get(key: string, known: boolean): Cached | undefined {
    const found = this.#known.get(key) ?? this.#unknown.get(key);
    if (found && known && !this.#known.peek(key)) {
      this.#unknown.delete(key);
      this.#known.set(key, found);
    }
    return found;
  }

  set(key: string, known: boolean, result: Cached): void {
    (known ? this.#known : this.#unknown).set(key, result);
  }

  /** Those of customers, the least recently used first. */
  known(): Iterable<[string, Cached]> {
    return this.#known.entries();
  }
}

const weigh = (key: string): number => key.length;
const keyOf = (text: string, operationName: string | undefined): string =>
  operationName === undefined ? text : `${operationName}\n${text}`;

/** A caller from outside is not told names that the schema does not show to it. */
const orRefuse = (found: Cached, viewer?: Viewer, graph?: Graph): PreparedOperation => {
  if (!(found instanceof QueryRefused)) return found;
  throw viewer && graph ? graph.shown.withoutHidden(found, tierOf(viewer)) : found;
};

const refusalOf = (error: unknown): QueryRefused => {
  if (error instanceof QueryRefused) return error;
  throw error;
};
