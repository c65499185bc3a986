// Prepared operations: planned and compiled once per text and graph. The gateway's own documents are planned at once, those of callers through the planner.
import type { FieldNode } from 'graphql';
import type { Viewer } from '#platform/identity.ts';
import { Lru } from '#platform/lru.ts';
import type { Executor, PlannedOperation, RunnableOperation } from './execution/executor.ts';
import type { Graph } from './graph.ts';
import { type Cost, generationsOf } from './cost.ts';
import { type Introspection, introspectionOf, rootFields } from './limits.ts';
import { planDocument, readPlanned } from './planning/plan-document.ts';
import { type Planner, type PlanningCaller, planningCallerOf } from './planning/planner.ts';
import { QueryRefused } from './planning/query-refused.ts';
import { tierOf } from './shown-schemas.ts';

/** An operation that can run any number of times. */
export interface PreparedOperation extends PlannedOperation {
  kind: 'query' | 'mutation' | 'subscription';
  name: string | undefined;
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
 * Operations of callers without an account have a cache of their own, so that they cannot displace those that customers use.
 */
const CACHED_CHARACTERS = { known: 262_144, unknown: 65_536 };

export interface Operations {
  /** Prepares a document of our own at once, in this thread. Throws QueryRefused. `operationName` chooses among several operations of one document. */
  prepare(text: string, operationName?: string): PreparedOperation;
  /** Prepares a document from outside. Rejects as `prepare` throws and as Planner.plan rejects. */
  prepareFor(viewer: Viewer, text: string, operationName?: string): Promise<PreparedOperation>;
}

export const createOperations = (currentGraph: () => Graph, executor: Executor, planner: Planner): Operations =>
  new PreparedOperations(currentGraph, executor, planner);

class PreparedOperations implements Operations {
  readonly #currentGraph: () => Graph;
  readonly #executor: Executor;
  readonly #planner: Planner;
  readonly #cache = new OperationCache();
  #graph: Graph;

  constructor(currentGraph: () => Graph, executor: Executor, planner: Planner) {
    this.#currentGraph = currentGraph;
    this.#executor = executor;
    this.#planner = planner;
    this.#graph = currentGraph();
  }

  prepare(text: string, operationName?: string): PreparedOperation {
    this.#renew();
    const key = keyOf(text, operationName);
    const found = this.#cache.get(key, true);
    if (found) return orRefuse(found);
    let result: PreparedOperation | QueryRefused;
    try {
      const graph = this.#graph;
      const { cost, ...planned } = planDocument(graph, text, operationName);
      result = this.#runnable({ graph, text, ...planned }, cost);
    } catch (error) {
      result = refusalOf(error);
    }
    this.#cache.set(key, true, result);
    return orRefuse(result);
  }

  async prepareFor(viewer: Viewer, text: string, operationName?: string): Promise<PreparedOperation> {
    this.#renew();
    const caller = planningCallerOf(viewer);
    const key = keyOf(text, operationName);
    const found = this.#cache.get(key, caller.known);
    if (found) return orRefuse(found, viewer, this.#graph);
    const result = await this.#prepareNew(text, operationName, caller).catch(refusalOf);
    this.#cache.set(key, caller.known, result);
    return orRefuse(result, viewer, this.#graph);
  }

  async #prepareNew(text: string, operationName: string | undefined, caller: PlanningCaller): Promise<PreparedOperation> {
    const graph = this.#graph;
    const plan = await this.#planner.plan({ text, operationName }, caller, graph.sdl);
    const { cost, ...read } = readPlanned(graph, text, operationName);
    return this.#runnable({ graph, text, plan, ...read }, cost);
  }

  #runnable(planned: PlannedOperation, cost: Cost): PreparedOperation {
    const { operation } = planned;
    const roots = rootFields(planned);
    return {
      ...planned,
      kind: operation.operation,
      name: operation.name?.value,
      roots,
      cost,
      introspection: introspectionOf(operation, roots),
      generations: generationsOf(planned.graph, roots),
      runnable: this.#executor.compile(planned),
    };
  }

  #renew(): void {
    const graph = this.#currentGraph();
    if (this.#graph === graph) return;
    this.#cache.clear();
    this.#graph = graph;
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

  clear(): void {
    this.#known.clear();
    this.#unknown.clear();
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
