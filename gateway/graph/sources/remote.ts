// A subgraph in another process. Queries and mutations go over a pool of HTTP connections, subscriptions over graphql-ws.
import type { SigningKeys } from '#platform/mac.ts';
import type { ExecutionResult } from 'graphql';
import { type Client, createClient } from 'graphql-ws';
import { Pool } from 'undici';
import WebSocket from 'ws';
import { AsyncQueue } from '#platform/async-queue.ts';
import type { Clock } from '#platform/clock.ts';
import { Failure, fail } from '#platform/errors.ts';
import { type Viewer, signViewer } from '#platform/identity.ts';
import type { Log } from '#platform/log.ts';
import { toGraphQLError } from '#platform/masking.ts';
import { SOCKET_CONTENT, VIEWER_HEADER } from '#platform/serve.ts';
import { traceHeaders } from '#platform/tracing.ts';
import { type Answer, toResult } from './answer.ts';
import { exchange } from './exchange.ts';
import type { ResultStream, Source, SubgraphRequest } from './source.ts';

export interface RemoteSourceOptions {
  log: Log;
  /** The subgraph's name: a viewer that is signed for one subgraph is not accepted by another. */
  audience: string;
  /** Milliseconds until a subgraph that does not answer counts as `overloaded`. */
  timeoutMs?: number;
  connections?: number;
}

/** How often a lost subscription is opened again, after 0.1, 0.2, 0.4 ... seconds: 25 seconds in all. */
const RETRIES = 8;

/** `url`: as returned by serveSubgraph. `secret`: the keys that sign the viewer. */
export function remoteSource(url: string, secret: SigningKeys, clock: Clock, options: RemoteSourceOptions): Source {
  const { log, audience, timeoutMs = 10_000, connections = 64 } = options;
  const { origin, pathname, host } = new URL(url);
  const pool = new Pool(origin, { connections, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect: { timeout: 2_000 } });
  const clients = new Set<Client>();

  async function ask(request: SubgraphRequest, viewer: Viewer, signal?: AbortSignal): Promise<Answer> {
    const body = JSON.stringify(request);
    const headers = {
      'content-type': 'application/json',
      [VIEWER_HEADER]: signViewer(viewer, secret, clock, { audience, content: body }),
      ...traceHeaders(),
    };
    const { status, text } = await exchange(pool, { path: pathname, method: 'POST', headers, body }, timeoutMs, signal);
    if (status !== 200) throw new Error(`the subgraph at ${host} answered ${status}: ${text.slice(0, 200)}`);
    return JSON.parse(text) as Answer;
  }

  return {
    async execute(request, viewer, signal) {
      try {
        return toResult(await ask(request, viewer, signal));
      } catch (error) {
        signal?.throwIfAborted();
        throw unreachable(error, viewer, log);
      }
    },

    /** One socket per subscription, since the socket's parameters carry the signed viewer. The client connects again when the subgraph restarts. */
    subscribe(request, viewer, signal) {
      const client = createClient({
        url: `${origin.replace(/^http/, 'ws')}${pathname}`,
        webSocketImpl: WebSocket,
        lazy: true,
        retryAttempts: RETRIES,
        retryWait: (retries) => new Promise((resume) => setTimeout(resume, 100 * 2 ** retries + Math.random() * 100)),
        shouldRetry: () => !signal?.aborted,
        connectionParams: () => ({ [VIEWER_HEADER]: signViewer(viewer, secret, clock, { audience, content: SOCKET_CONTENT }) }),
      });
      clients.add(client);
      return Promise.resolve(
        remoteStream(client, request, signal, {
          failed: (error) => ({ errors: [toGraphQLError(unreachable(error, viewer, log))] }),
          over: () => clients.delete(client),
        }),
      );
    },

    async close() {
      for (const client of clients) leave(client);
      if (!pool.closed) await pool.close();
    },
  };
}

/** A subgraph that cannot be reached counts as `overloaded`, since the same request may succeed later. */
function unreachable(error: unknown, viewer: Viewer, log: Log): Failure {
  if (error instanceof Failure) return error;
  log.error({ requestId: viewer.requestId, err: error }, 'a subgraph could not be reached');
  return fail(error instanceof SyntaxError ? 'internal' : 'overloaded');
}

/** Closes the client. While it is connecting, `dispose` rejects with the failure of the connection, which does not matter any more. */
const leave = (client: Client): void => void Promise.resolve(client.dispose()).catch(() => {});

interface Ends {
  failed(error: unknown): ExecutionResult;
  over(): void;
}

/** Queues what graphql-ws pushes for `next`. The queue has no limit of its own: the gateway reads without pause into a queue that has one. */
function remoteStream(client: Client, request: SubgraphRequest, signal: AbortSignal | undefined, ends: Ends): ResultStream {
  const cancel = () => queue.cancel();
  const queue = new AsyncQueue<ExecutionResult>({
    onEnd(cancelled) {
      if (cancelled) unsubscribe();
      signal?.removeEventListener('abort', cancel);
      ends.over();
      leave(client);
    },
  });
  const unsubscribe = client.subscribe<Record<string, unknown>>(request, {
    next: (answer) => queue.push(toResult(answer as Answer)),
    error(error) {
      if (queue.hasEnded) return;
      queue.push(Array.isArray(error) ? toResult({ errors: error as Answer['errors'] & {} }) : ends.failed(error));
      queue.end();
    },
    complete: () => queue.end(),
  });
  if (signal?.aborted) cancel();
  else signal?.addEventListener('abort', cancel, { once: true });
  return queue;
}
