// Our executor: the plan of an operation and the form of its answer are compiled once; each request only runs the compiled functions.
import type { ExecutionResult } from 'graphql';
import { type Executor, type ExecutorCall, WrittenData } from './executor.ts';
import type { Run } from './fetch.ts';
import { newFields } from './fields.ts';
import { compileAnswer, compilePlan } from './plan.ts';
import { type Shape, compileShape } from './shape.ts';
import { type Writer, compileWriter } from './writer.ts';

export const compiledExecutor: Executor = {
  compile({ graph, document, operation, plan }) {
    const { node } = plan;
    const schema = graph.supergraphSchema;
    const steps = compilePlan(node?.kind === 'Subscription' ? node.rest : node, schema);
    const takeEvent = node?.kind === 'Subscription' ? compileAnswer(node.primary, schema) : undefined;
    // Most operations need only one of these two.
    let shape: Shape | undefined;
    let writer: Writer | undefined;

    async function perform(call: ExecutorCall, event?: ExecutionResult): Promise<Run> {
      const run: Run = { call, data: newFields(), errors: [], shared: new Set(), answers: new Map() };
      if (event) takeEvent?.(run, event);
      await steps(run);
      return run;
    }

    function resultOf(run: Run): ExecutionResult {
      shape ??= compileShape(graph.apiSchema, document, operation);
      const { data, errors } = shape(run.data, run.call.variables, run.call.shown);
      // A null that a subgraph's error explains needs no second error.
      const all = run.errors.length ? run.errors : errors;
      return { data, ...(all.length && { errors: all }) };
    }

    return {
      run: async (call, event) => resultOf(await perform(call, event)),
      async write(call) {
        const run = await perform(call);
        if (run.errors.length) return resultOf(run);
        writer ??= compileWriter(graph.apiSchema, document, operation);
        const text = writer(run.data, call.variables, run.shared);
        return text === undefined ? resultOf(run) : new WrittenData(text);
      },
    };
  },
};
