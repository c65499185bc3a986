// Judges a candidate in a thread that lives as long as that takes: four contracts take two seconds of CPU.
import { Worker } from 'node:worker_threads';
import { MINUTE } from '#platform/clock.ts';
import type { Candidate, CandidateQuestion } from './candidate.ts';

const PATIENCE_MS = 2 * MINUTE;
const HEAP_MB = 1_024;

/** Rejects when the thread fails or takes longer than two minutes, and with the signal's reason. */
export async function judgeInThread(question: CandidateQuestion, signal: AbortSignal): Promise<Candidate> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: question,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<Candidate>();
  const late = setTimeout(() => reject(new Error('the contracts take too long to compose')), PATIENCE_MS).unref();
  const abort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  worker
    .once('message', resolve)
    .on('error', reject)
    .once('exit', () => reject(new Error('the composing thread has ended')));
  return promise.finally(() => {
    clearTimeout(late);
    signal.removeEventListener('abort', abort);
    void worker.terminate();
  });
}
