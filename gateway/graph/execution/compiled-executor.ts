// Our executor: the plan of an operation and the shape of its answer are compiled once; each request only runs the compiled functions.
import type { PlanNode } from '@apollo/query-planner';
import type { Executor } from './executor.ts';
import { newFields } from './merge.ts';
import { type Run, type Step, compileAnswer, compilePlan } from './plan.ts';
import { compileShape } from './shape.ts';

const NOTHING: Step = async () => {};

export const compiledExecutor: Executor = {
  compile({ graph, document, operation, plan }) {
    const { node } = plan;
    const schema = graph.supergraphSchema;
    const stepsOf = (part: PlanNode | undefined) => (part ? compilePlan(part, schema) : NOTHING);
    const steps = stepsOf(node?.kind === 'Subscription' ? node.rest : node);
    const takeEvent = node?.kind === 'Subscription' ? compileAnswer(node.primary, schema) : undefined;
    const shape = compileShape(graph.apiSchema, document, operation);
    return {
      async run(call, event) {
        const run: Run = { call, data: newFields(), errors: [] };
        if (event) takeEvent?.(run, event);
        await steps(run);
        const { data, errors } = shape(run.data, call.variables);
        // A null that a subgraph's error explains needs no second error.
        const all = run.errors.length ? run.errors : errors;
        return { data, ...(all.length && { errors: all }) };
      },
    };
  },
};
