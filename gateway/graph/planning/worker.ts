// The planning thread: receives documents and answers plans as JSON. A document that is slow or exhausts the memory does so here, and delays no other answer.
import { parentPort, workerData } from 'node:worker_threads';
import { declaredFields } from '../../../schema/declared-fields.ts';
import { weightsOf } from '../weights.ts';
import { type PlanningSchema, planDocument, planningOf } from './plan-document.ts';
import type { PlanAnswer, PlanQuestion } from './planning-thread.ts';
import { QueryRefused } from './query-refused.ts';

function schemaOf(supergraphSdl: string): PlanningSchema {
  const planning = planningOf(supergraphSdl);
  return { ...planning, apiSchema: planning.plannerSchema.toGraphQLJSSchema(), weights: weightsOf(declaredFields(supergraphSdl)) };
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
  // CPU time of this thread alone, so that a document does not cost more on a busy machine.
  const before = process.threadCpuUsage();
  const given = answer(question);
  const { user, system } = process.threadCpuUsage(before);
  parentPort?.postMessage({ id, ...given, milliseconds: (user + system) / 1_000 } satisfies PlanAnswer & { id: number });
});
