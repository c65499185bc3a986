// Results as Server-Sent Events, for clients that reach us through proxies without WebSockets: the "distinct connections" mode of
// https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md. A stream is authorised when it opens, and again and again while it stays open.
import type { ServerResponse } from 'node:http';
import type { ExecutionResult } from 'graphql';
import { SECOND } from '#platform/clock.ts';
import { Counts } from '#platform/counts.ts';
import { type Failure, fail, toFailure } from '#platform/errors.ts';
import type { Origin, Viewer } from '#platform/identity.ts';
import type { Access } from '../sign-in/access.ts';
import { refusal } from './graphql-result.ts';
import type { Credential } from './socket-connections.ts';
import { RECHECK_LIMITS, Recheck } from './socket-recheck.ts';
import type { ResultStream } from './sources/source.ts';

export const STREAM_LIMITS = {
  ...RECHECK_LIMITS,
  all: 5_000,
  perAccount: 100,
  /** A comment after so long without an event, so that no proxy takes the stream for dead. */
  keepAliveMs: 12 * SECOND,
};

interface Holder {
  credential: Credential;
  viewer: Viewer & { accountId: string };
  origin: Origin;
}

interface Open extends Holder {
  end(failure: Failure): void;
}

const HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would hold events back.
  'X-Accel-Buffering': 'no',
};
const next = (result: object): string => `event: next\ndata: ${JSON.stringify(result)}\n\n`;
const COMPLETE = 'event: complete\ndata:\n\n';
/** For a stream that ends though its credential is valid. */
const openAgain = (): Failure => fail('overloaded', { retry_after_seconds: 1 });

export class EventStreams {
  readonly #limits: typeof STREAM_LIMITS;
  readonly #open = new Set<Open>();
  /** Of those that are open, and of those that begin. */
  #places = 0;
  readonly #perAccount = new Counts();
  readonly #recheck: Recheck<Open>;

  constructor(access: Access, limits: Partial<typeof STREAM_LIMITS> = {}) {
    this.#limits = { ...STREAM_LIMITS, ...limits };
    this.#recheck = new Recheck(
      access,
      {
        all: () => this.#open,
        refuse: (open, failure) => open.end(failure),
        renew: (open) => open.end(openAgain()),
      },
      this.#limits,
    );
  }

  /** One result, and the end. */
  sendOne(response: ServerResponse, result: ExecutionResult): void {
    response.writeHead(200, HEADERS).end(next(result) + COMPLETE);
  }

  /**
   * Begins a subscription and sends its results until it ends, its client goes, or its credential is no longer valid; a result that is none of a subscription is
   * sent alone. Rejects with connections_exhausted, with overloaded when there are too many of all accounts, and as `begin` rejects.
   */
  async send(response: ServerResponse, holder: Holder, begin: () => Promise<ResultStream | ExecutionResult>): Promise<void> {
    // Before the subscription begins: those that begin at the same time count too.
    const leave = this.#takePlace(holder.viewer.accountId);
    let results: ResultStream | ExecutionResult;
    try {
      results = await begin();
    } catch (error) {
      leave();
      throw error;
    }
    if (Symbol.asyncIterator in results && !response.destroyed) return this.#sendAll(response, results, holder, leave);
    leave();
    // A client that went meanwhile has had its 'close' already.
    if (Symbol.asyncIterator in results) void results.return?.();
    else this.sendOne(response, results);
  }

  #sendAll(response: ServerResponse, results: ResultStream, holder: Holder, leave: () => void): void {
    const open: Open = {
      ...holder,
      end: (failure) => {
        if (!response.writableEnded) response.end(next(refusal(failure, holder.origin.requestId)) + COMPLETE);
        void results.return?.();
      },
    };
    this.#open.add(open);
    // A client that reads slowly may be there long after the end, and a write would then be an error that nobody handles.
    const keepAlive = () => response.writableEnded || response.write(':\n\n');
    const alive = setInterval(keepAlive, this.#limits.keepAliveMs).unref();
    response.once('close', () => {
      clearInterval(alive);
      this.#open.delete(open);
      leave();
      void results.return?.();
    });
    response.writeHead(200, HEADERS).flushHeaders();
    void pass(results, response).then(
      () => response.writableEnded || response.end(COMPLETE),
      (error: unknown) => open.end(toFailure(error)),
    );
  }

  /** Returns what gives the place back. */
  #takePlace(accountId: string): () => void {
    if (this.#places >= this.#limits.all) throw fail('overloaded');
    if (this.#perAccount.of(accountId) >= this.#limits.perAccount) throw fail('connections_exhausted');
    this.#places++;
    this.#perAccount.add(accountId);
    return () => {
      this.#places--;
      this.#perAccount.remove(accountId);
    };
  }

  close(): void {
    this.#recheck.stop();
    for (const open of this.#open) open.end(openAgain());
  }
}

/** Waits for a client that reads slowly: what comes meanwhile waits in the subscription's own queue, which is bounded. */
async function pass(results: ResultStream, response: ServerResponse): Promise<void> {
  for (;;) {
    const { done, value } = await results.next();
    if (done || response.writableEnded || response.destroyed) return;
    if (!response.write(next(value))) await drained(response);
  }
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const over = () => {
      response.off('drain', over).off('close', over);
      resolve();
    };
    response.once('drain', over).once('close', over);
  });
