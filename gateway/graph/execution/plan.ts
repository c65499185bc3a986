// Compiles a query plan into functions that run it. Everything that does not depend on the request is computed once, here.
import type { FetchNode, PlanNode, ResponsePath } from '@apollo/query-planner';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { EntityFetch } from './entities.ts';
import { type Run, at, compileFetch, named, placesOf } from './fetch.ts';
import { merge } from './merge.ts';
import { compileRewrites } from './rewrites.ts';
import { type CommonFacts, commonFactsOf } from './same-fetches.ts';
import { compileTargets } from './targets.ts';

/** Returns nothing when there is nothing to wait for. */
export type Step = (run: Run) => Promise<void> | void;

const NOTHING: Step = () => {};

export const compilePlan = (node: PlanNode | undefined, schema: GraphQLSchema): Step =>
  node ? new PlanCompiler(schema, commonFactsOf(node)).step(node, []) : NOTHING;

class PlanCompiler {
  readonly #schema: GraphQLSchema;
  readonly #facts: ReadonlyMap<FetchNode, CommonFacts>;

  constructor(schema: GraphQLSchema, facts: ReadonlyMap<FetchNode, CommonFacts>) {
    this.#schema = schema;
    this.#facts = facts;
  }

  step(node: PlanNode, path: ResponsePath): Step {
    switch (node.kind) {
      case 'Sequence':
        return inSequence(node.nodes.map((child) => this.step(child, path)));
      case 'Parallel':
        return atOnce(node.nodes.map((child) => this.step(child, path)));
      case 'Flatten':
        return this.step(node.node, [...path, ...node.path]);
      case 'Condition': {
        const yes = node.ifClause ? this.step(node.ifClause, path) : NOTHING;
        const no = node.elseClause ? this.step(node.elseClause, path) : NOTHING;
        return (run) => (run.call.variables[node.condition] ? yes : no)(run);
      }
      case 'Fetch': {
        const facts = this.#facts.get(node);
        if (!node.requires || !facts) return compileRootFetch(node, this.#schema, path);
        const fetch = new EntityFetch(node, this.#schema, path, facts);
        return (run) => fetch.run(run);
      }
      case 'Defer':
        throw new Error('the planner is not asked for @defer');
    }
  }
}

const inSequence =
  (steps: readonly Step[]): Step =>
  async (run) => {
    for (const step of steps) {
      const done = step(run);
      if (done) await done;
    }
  };

const atOnce =
  (steps: readonly Step[]): Step =>
  async (run) => {
    await Promise.all(steps.map((step) => step(run)));
  };

/** Merges one answer of a plan's root fetch into the run; also used for the events of a subscription. */
export type TakeAnswer = (run: Run, answer: ExecutionResult) => void;

export function compileAnswer(node: FetchNode, schema: GraphQLSchema, path: ResponsePath = []): TakeAnswer {
  const rewrites = compileRewrites(node.outputRewrites, schema);
  const targets = compileTargets(path);
  return (run, answer) => {
    for (const error of answer.errors ?? []) {
      const above = path.filter((element) => element !== '@');
      const places = error.path?.length ? [[...above, ...named(error.path, rewrites)]] : placesOf(node, path);
      for (const place of places) run.errors.push(at(error, place));
    }
    if (!answer.data) return;
    rewrites?.apply(answer.data);
    for (const [index, target] of targets.in(run.data, run.shared).objects.entries()) merge(target, answer.data, index > 0);
  };
}

function compileRootFetch(node: FetchNode, schema: GraphQLSchema, path: ResponsePath): Step {
  const ask = compileFetch(node, path);
  const take = compileAnswer(node, schema, path);
  const targets = compileTargets(path);
  return async (run) => {
    if (path.length && !targets.in(run.data, run.shared).objects.length) return;
    const answer = await ask(run);
    if (answer) take(run, answer);
  };
}
