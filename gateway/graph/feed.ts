// One subscription at a subgraph, and everybody who listens to it: each event goes through the rest of the plan once, whatever number of subscribers wait for it.
import type { ExecutionResult } from 'graphql';
import { AsyncQueue } from '#platform/async-queue.ts';
import type { Failure } from '#platform/errors.ts';
import { toGraphQLError } from '#platform/masking.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { ResultStream } from './sources/source.ts';

/** How many events may wait for a slow reader; when there are more, the oldest is dropped, since the newest figures matter most. */
export const QUEUED_EVENTS = 64;

interface FeedTerms {
  metrics: Metrics;
  /** Subscribes at the subgraph; `signal` aborts when nobody listens any more. */
  open(signal: AbortSignal): Promise<ResultStream | ExecutionResult>;
  /** What subscribers are told of an event. */
  answer(event: ExecutionResult, signal: AbortSignal): Promise<ExecutionResult>;
  /** What they are told of an event that has failed. */
  mask(result: ExecutionResult): ExecutionResult;
  /** The first event has come. */
  onFirst(): void;
  /** Nobody may join any more. */
  onEnd(): void;
}

/** An event, and its answer from the first time that somebody reads it. */
type SharedEvent = () => Promise<ExecutionResult>;

export class Feed {
  readonly #terms: FeedTerms;
  readonly #listeners = new Set<AsyncQueue<SharedEvent>>();
  readonly #left = new AbortController();
  #opened: Promise<ResultStream | ExecutionResult> | undefined;
  #events: ResultStream | undefined;
  #hasEnded = false;

  constructor(terms: FeedTerms) {
    this.#terms = terms;
    terms.metrics.feeds.inc();
  }

  /**
   * The events from now on; the first subscriber opens the source. Resolves with the subgraph's refusal when it does not let the feed open. `return()` and
   * `signal` end the stream at once, for this subscriber alone.
   */
  async join(signal: AbortSignal | undefined): Promise<ResultStream | ExecutionResult> {
    const { metrics } = this.#terms;
    const cancel = () => queue.cancel();
    const queue = new AsyncQueue<SharedEvent>({
      capacity: QUEUED_EVENTS,
      onDrop: () => metrics.droppedEvents.inc(),
      onEnd: () => {
        metrics.subscriptions.dec();
        signal?.removeEventListener('abort', cancel);
        this.#listeners.delete(queue);
        if (this.#listeners.size === 0) this.#abandon();
      },
    });
    metrics.subscriptions.inc();
    // Before the wait, so that nothing is missed and the feed has not ended meanwhile.
    this.#listeners.add(queue);
    signal?.addEventListener('abort', cancel, { once: true });
    if (signal?.aborted) cancel();
    try {
      const opened = await (this.#opened ??= this.#open());
      if (!(Symbol.asyncIterator in opened)) {
        cancel();
        return opened;
      }
    } catch (error) {
      cancel();
      throw error;
    }
    return streamOf(queue);
  }

  /** Ends it for everybody: what waits is still answered, and the failure is the last that they are told. */
  end(failure: Failure): void {
    if (this.#hasEnded) return;
    this.#tell({ errors: [toGraphQLError(failure)] });
    this.#finish();
    if (this.#events) leave(this.#events);
    for (const queue of this.#listeners) queue.end();
  }

  async #open(): Promise<ResultStream | ExecutionResult> {
    try {
      const events = await this.#terms.open(this.#left.signal);
      if (!(Symbol.asyncIterator in events)) this.#finish();
      else if (this.#hasEnded) leave(events);
      else void this.#read(events);
      return events;
    } catch (error) {
      this.#finish();
      throw error;
    }
  }

  async #read(events: ResultStream): Promise<void> {
    this.#events = events;
    this.#left.signal.addEventListener('abort', () => leave(events), { once: true });
    let isFirst = true;
    try {
      for (let event = await events.next(); !event.done && !this.#hasEnded; event = await events.next()) {
        if (isFirst) this.#terms.onFirst();
        isFirst = false;
        this.#tell(event.value);
      }
    } catch (error) {
      this.#tell({ errors: [toGraphQLError(error)] });
    }
    this.#finish();
    for (const queue of this.#listeners) queue.end();
  }

  #tell(event: ExecutionResult): void {
    let answer: Promise<ExecutionResult> | undefined;
    const shared: SharedEvent = () => (answer ??= this.#answer(event));
    for (const queue of this.#listeners) queue.push(shared);
  }

  /** Never rejects. */
  async #answer(event: ExecutionResult): Promise<ExecutionResult> {
    const { answer, mask } = this.#terms;
    if (!event.data && event.errors) return mask(event);
    try {
      return await answer(event, this.#left.signal);
    } catch (error) {
      return mask({ errors: [toGraphQLError(error)] });
    }
  }

  /** Nobody listens any more. */
  #abandon(): void {
    if (this.#hasEnded) return;
    this.#finish();
    this.#left.abort();
  }

  /** No further events come; those that wait in queues are still answered. */
  #finish(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#terms.metrics.feeds.dec();
    this.#terms.onEnd();
  }
}

const leave = (events: ResultStream): void => void events.return?.().catch(() => {});

const streamOf = (queue: AsyncQueue<SharedEvent>): ResultStream => ({
  [Symbol.asyncIterator]() {
    return this;
  },
  async next() {
    const event = await queue.next();
    if (event.done) return event;
    const value = await event.value();
    // The subscriber has gone while its event was answered.
    return queue.isCancelled ? { done: true, value: undefined } : { done: false, value };
  },
  async return() {
    await queue.return();
    return { done: true, value: undefined };
  },
  async throw(error) {
    await queue.return();
    throw error;
  },
});
