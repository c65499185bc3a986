// A thread that plans documents, one after another. It starts with the first document, starts again after a document that ended it, and is shared by gateways of one graph.
import { Worker } from 'node:worker_threads';
import { SECOND } from '#platform/clock.ts';
import type { ErrorCode } from '#platform/errors.ts';

export interface PlanQuestion {
  text: string;
  operationName: string | undefined;
}

/** Exactly one of `plan` (JSON), `refused` and `fault` is set. `milliseconds`: CPU time of the thread. */
export interface PlanAnswer {
  milliseconds: number;
  plan?: string;
  /** With the offsets in the text that each reason is about. */
  refused?: { message: string; positions: readonly number[] | undefined }[];
  /** The code of the refusal. */
  code?: ErrorCode;
  fault?: string;
}

export interface PlanningThread {
  /** Rejects with ThreadLost when the document ended the thread or took too long. */
  plan(question: PlanQuestion): Promise<PlanAnswer>;
  /** Each caller that has opened the thread calls this once. */
  release(): void;
}

/** For one document; the largest ones that the limits allow take some 20 ms. */
const PATIENCE_MS = 10 * SECOND;
/** For the first document, which waits until the planner and the graph are loaded, also on a busy machine. */
const START_MS = 60 * SECOND;
/** How long a thread that nobody has open is kept for the next gateway that opens it. */
const LINGER_MS = 10 * SECOND;
const HEAP_MB = 512;

/** The document ended the thread: it took too long, or more memory than the thread may use. */
export class ThreadLost extends Error {}

class SharedThread implements PlanningThread {
  readonly #supergraphSdl: string;
  #worker: Worker | undefined;
  #fresh = true;
  #last = 0;
  #users = 0;
  #ending: NodeJS.Timeout | undefined;

  constructor(supergraphSdl: string) {
    this.#supergraphSdl = supergraphSdl;
  }

  open(): this {
    clearTimeout(this.#ending);
    this.#users++;
    return this;
  }

  release(): void {
    if (--this.#users > 0) return;
    this.#ending = setTimeout(() => {
      threads.delete(this.#supergraphSdl);
      void this.#worker?.terminate();
    }, LINGER_MS).unref();
  }

  plan({ text, operationName }: PlanQuestion): Promise<PlanAnswer> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(late);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
        finish();
      };
      const lost = (why: string) =>
        settle(() => {
          if (this.#worker === worker) this.#worker = undefined;
          void worker.terminate();
          reject(new ThreadLost(why));
        });
      const onMessage = (given: PlanAnswer & { id: number }) => {
        if (given.id !== id) return;
        settle(() => {
          this.#fresh = false;
          resolve(given);
        });
      };
      const onError = (error: Error) => lost(error.message);
      const onExit = () => lost('the planning thread has ended');
      const late = setTimeout(() => lost('the planning thread does not answer'), this.#fresh ? START_MS : PATIENCE_MS).unref();
      worker.on('message', onMessage).on('error', onError).on('exit', onExit);
      worker.postMessage({ id, text, operationName });
    });
  }

  #start(): Worker {
    this.#fresh = true;
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { supergraphSdl: this.#supergraphSdl },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    });
    worker.setMaxListeners(0);
    worker.unref();
    // Without a listener, an error of an idle thread would end the process.
    worker.on('error', () => {});
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    return worker;
  }
}

/** By the supergraph's text. */
const threads = new Map<string, SharedThread>();

export function openPlanningThread(supergraphSdl: string): PlanningThread {
  const thread = threads.get(supergraphSdl) ?? new SharedThread(supergraphSdl);
  threads.set(supergraphSdl, thread);
  return thread.open();
}
