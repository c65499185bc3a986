// Prepared operations: planned and compiled once per text and graph, for the gateway's own documents at once, for everybody else's through the planner.
import type { Viewer } from '#platform/identity.ts';
import { fail } from '#platform/errors.ts';
import { Lru } from '#platform/lru.ts';
import type { Executor, PlannedOperation, RunnableOperation } from './execution/executor.ts';
import type { Graph } from './graph.ts';
import { type Cost, type Introspection, generationsOf, introspectionOf } from './limits.ts';
import { planDocument, readPlanned } from './planning/plan-document.ts';
import { type Planner, type PlanningCaller, planningCallerOf } from './planning/planner.ts';
import { QueryRefused } from './planning/query-refused.ts';

/** An operation that may run as often as wanted. */
export interface PreparedOperation extends PlannedOperation {
  kind: 'query' | 'mutation' | 'subscription';
  name: string | undefined;
  cost: Cost;
  /** Whether it asks of the schema, and of nothing else whatever the variables. */
  introspection: Introspection;
  /** How often it generates proxy lines. */
  generations: number;
  runnable: RunnableOperation;
}

/** Keys read; the one change that a key may be given the right to is work on servers, and their subgraph asks for that right again. */
export function requireMayRun(viewer: Viewer, kind: PreparedOperation['kind']): void {
  if (viewer.kind === 'key' && kind === 'mutation' && !viewer.scopes.includes('servers'))
    throw fail('forbidden', {}, 'This API key may only read.');
}

/**
 * Characters of the operations that are kept prepared, some 300 times that in bytes; refused ones too, so that repeating a bad one is cheap. What strangers
 * ask is kept apart, so that no flood of theirs displaces what customers use.
 */
const KEPT_CHARACTERS = { known: 262_144, unknown: 65_536 };

export interface Operations {
  /** At once, in this thread: for documents of our own. Throws QueryRefused. `operationName` chooses among several operations of one document. */
  prepare(text: string, operationName?: string): PreparedOperation;
  /** For documents from outside. Throws as `prepare` and as Planner.plan. */
  prepareFor(viewer: Viewer, text: string, operationName?: string): Promise<PreparedOperation>;
}

type Kept = Lru<PreparedOperation | QueryRefused>;

export function createOperations(currentGraph: () => Graph, executor: Executor, planner: Planner): Operations {
  const weigh = (key: string) => key.length;
  const kept: Record<'known' | 'unknown', Kept> = {
    known: new Lru(KEPT_CHARACTERS.known, weigh),
    unknown: new Lru(KEPT_CHARACTERS.unknown, weigh),
  };
  let graph = currentGraph();

  function renew(): void {
    if (graph === currentGraph()) return;
    for (const operations of Object.values(kept)) operations.clear();
    graph = currentGraph();
  }

  const keyOf = (text: string, operationName: string | undefined) => (operationName === undefined ? text : `${operationName}\n${text}`);

  /** What a customer asks that until now only strangers did moves to the other customers' documents. */
  function find(key: string, known: boolean): PreparedOperation | QueryRefused | undefined {
    const found = kept.known.get(key) ?? kept.unknown.get(key);
    if (found && known && !kept.known.peek(key)) {
      kept.unknown.delete(key);
      kept.known.set(key, found);
    }
    return found;
  }

  const runnable = (planned: PlannedOperation, cost: Cost): PreparedOperation => {
    const { operation } = planned;
    return {
      ...planned,
      kind: operation.operation,
      name: operation.name?.value,
      cost,
      introspection: introspectionOf(planned),
      generations: generationsOf(planned),
      runnable: executor.compile(planned),
    };
  };

  function keep(key: string, known: boolean, result: PreparedOperation | QueryRefused): PreparedOperation {
    kept[known ? 'known' : 'unknown'].set(key, result);
    if (result instanceof QueryRefused) throw result;
    return result;
  }

  const refusalOf = (error: unknown): QueryRefused => {
    if (error instanceof QueryRefused) return error;
    throw error;
  };

  async function prepareNew(text: string, operationName: string | undefined, caller: PlanningCaller): Promise<PreparedOperation> {
    const on = graph;
    const plan = await planner.plan({ text, operationName }, caller, on.sdl);
    const { cost, ...read } = readPlanned(on.apiSchema, text, operationName);
    return runnable({ graph: on, text, plan, ...read }, cost);
  }

  return {
    prepare(text, operationName) {
      renew();
      const key = keyOf(text, operationName);
      const found = find(key, true);
      if (found instanceof QueryRefused) throw found;
      if (found) return found;
      let result: PreparedOperation | QueryRefused;
      try {
        const { cost, ...planned } = planDocument(graph, text, operationName);
        result = runnable({ graph, text, ...planned }, cost);
      } catch (error) {
        result = refusalOf(error);
      }
      return keep(key, true, result);
    },

    async prepareFor(viewer, text, operationName) {
      renew();
      const caller = planningCallerOf(viewer);
      const key = keyOf(text, operationName);
      const found = find(key, caller.known);
      if (found instanceof QueryRefused) throw found;
      if (found) return found;
      const result = await prepareNew(text, operationName, caller).catch(refusalOf);
      return keep(key, caller.known, result);
    },
  };
}
