// The planning thread: takes documents, gives plans as text. What is slow, or runs out of memory, does so here and holds up nobody's answer.
import { parentPort, workerData } from 'node:worker_threads';
import { Supergraph } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { type PlanningSchema, planDocument } from './plan-document.ts';
import type { PlanAnswer, PlanQuestion } from './planning-thread.ts';
import { QueryRefused } from './query-refused.ts';

function schemaOf(supergraphSdl: string): PlanningSchema {
  // The main thread has validated it before it took it.
  const supergraph = Supergraph.build(supergraphSdl, { validateSupergraph: false });
  const plannerSchema = supergraph.apiSchema();
  return { apiSchema: plannerSchema.toGraphQLJSSchema(), plannerSchema, planner: new QueryPlanner(supergraph) };
}

const schema = schemaOf((workerData as { supergraphSdl: string }).supergraphSdl);

function answer({ text, operationName }: PlanQuestion): Omit<PlanAnswer, 'milliseconds'> {
  try {
    return { plan: JSON.stringify(planDocument(schema, text, operationName).plan) };
  } catch (error) {
    if (error instanceof QueryRefused)
      return { code: error.code, refused: error.errors.map(({ message, positions }) => ({ message, positions })) };
    return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.on('message', ({ id, ...question }: PlanQuestion & { id: number }) => {
  // Of this thread alone: a busy machine makes nobody's documents dearer.
  const before = process.threadCpuUsage();
  const given = answer(question);
  const { user, system } = process.threadCpuUsage(before);
  parentPort?.postMessage({ id, ...given, milliseconds: (user + system) / 1_000 } satisfies PlanAnswer & { id: number });
});
