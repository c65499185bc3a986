// One request over a pool of connections and its whole answer as text, without the streams and signals of the client's `request`, which cost more than the exchange.
import type { Dispatcher } from 'undici';
import { TooLate } from '#platform/in-time.ts';

interface Exchanged {
  status: number;
  text: string;
}

/** Rejects when the connection fails, when there is no whole answer within `limitMs` milliseconds (TooLate), and with the signal's reason when it aborts. */
export function exchange(pool: Dispatcher, request: Dispatcher.DispatchOptions, limitMs: number, signal?: AbortSignal): Promise<Exchanged> {
  return new Promise((resolve, reject) => {
    const exchanging = new Exchange({ resolve, reject }, limitMs, signal);
    if (!exchanging.isOver) pool.dispatch(request, exchanging);
  });
}

interface Settle {
  resolve(exchanged: Exchanged): void;
  reject(error: unknown): void;
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #settle: Settle;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #failure: Error | undefined;
  isOver = false;

  constructor(settle: Settle, limitMs: number, signal: AbortSignal | undefined) {
    this.#settle = settle;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#give(new TooLate(`no answer within ${limitMs} ms`)), limitMs);
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while it waited for a connection.
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number): void {
    this.#status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [first] = this.#chunks;
    const bytes = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    if (this.#end()) this.#settle.resolve({ status: this.#status, text: bytes.toString('utf8') });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#end()) this.#settle.reject(error);
  }

  readonly #abort = (): void => {
    const reason: unknown = this.#signal?.reason;
    this.#give(reason instanceof Error ? reason : new Error('the caller has gone', { cause: reason }));
  };

  /** Gives up, and leaves the connection. */
  #give(failure: Error): void {
    if (!this.#end()) return;
    this.#failure = failure;
    this.#settle.reject(failure);
    this.#controller?.abort(failure);
  }

  /** Whether this is the first end of the exchange. */
  #end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#abort);
    return true;
  }
}
