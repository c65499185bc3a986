// Metrics of operations: seconds and failures, labelled with the first field that they ask for. Callers choose the names of operations, but only the schema has fields.
import type { ExecutionResult } from 'graphql';
import type { Metrics } from '#platform/metrics.ts';
import type { PreparedOperation } from './operations.ts';

type OperationMetrics = Pick<Metrics, 'operationSeconds' | 'operationFailures'>;

const firstFieldOf = ({ operation }: Pick<PreparedOperation, 'operation'>): string => {
  const [first] = operation.selectionSet.selections;
  return first?.kind === 'Field' ? first.name.value : 'fragment';
};

/** Runs `run`, measures its time and counts its failure. When it throws, because the caller has gone, neither is recorded. */
export async function measuredOperation<Answer extends Pick<ExecutionResult, 'errors'>>(
  { operationSeconds, operationFailures }: OperationMetrics,
  prepared: Pick<PreparedOperation, 'operation'>,
  run: () => Promise<Answer>,
): Promise<Answer> {
  const operation = firstFieldOf(prepared);
  const began = performance.now();
  const answer = await run();
  operationSeconds.observe({ operation }, (performance.now() - began) / 1_000);
  const code = answer.errors?.[0]?.extensions['code'];
  if (code !== undefined) operationFailures.inc({ operation, code: String(code) });
  return answer;
}
