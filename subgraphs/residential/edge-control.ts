// The platform as proxy nodes see it: in this process, or over HTTP with the node's own key.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { SECOND } from '#shared/clock.ts';
import { fail } from '#shared/errors.ts';
import type { Notifications } from '#shared/notifications.ts';
import { readBody } from '#shared/read-body.ts';
import type { ControlPlane, FeedListener, SyncRequest } from './edge/control-plane.ts';
import { PLAN_CHANNEL } from './entities/lease.ts';
import type { Context } from './providers.ts';
import { edgeOfKey, enrolOwnEdge, planFacts } from './services/edges.ts';
import { syncLeases } from './services/leases.ts';

const BEAT_MS = SECOND;

export interface EdgeControlOptions {
  /** A fresh context of the platform's own for each call. */
  context: () => Context;
  notifications: Notifications;
}

/** Calls the listener with every committed change of a plan, and a beat a second. */
async function followChanges(notifications: Notifications, listener: FeedListener): Promise<() => void> {
  const stop = await notifications.listen(PLAN_CHANNEL, (payload) => {
    if (payload === undefined) {
      listener.lost();
      listener.beat();
    } else listener.changed(JSON.parse(payload) as { planId: string; epoch: number });
  });
  const beats = setInterval(() => listener.beat(), BEAT_MS);
  listener.beat();
  return () => {
    stop();
    clearInterval(beats);
  };
}

/** For a node in this process. `edgeId` names it in the ledger. */
export async function localControlPlane({ context, notifications }: EdgeControlOptions, edgeId: string): Promise<ControlPlane> {
  await enrolOwnEdge(context(), edgeId);
  return {
    plan: (username) => planFacts(context(), username),
    sync: (request) => syncLeases(context(), edgeId, request),
    follow(listener) {
      let stop: (() => void) | undefined;
      let stopped = false;
      followChanges(notifications, listener).then(
        (stopFollowing) => {
          if (stopped) stopFollowing();
          else stop = stopFollowing;
        },
        () => listener.lost(),
      );
      return () => {
        stopped = true;
        stop?.();
      };
    },
  };
}

/** A route as the front mounts it. */
export interface EdgeRoute {
  name: string;
  vital: true;
  matches(pathname: string): boolean;
  /** A Failure that it throws is answered with its status. */
  handle(request: IncomingMessage, response: ServerResponse, call: { url: URL }): Promise<void>;
}

const bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const word = z.string().max(255);
const part = z.object({ country: word, session: word.nullable(), host: word, client: word, up: bytes, down: bytes });
const syncShape = z.object({
  reports: z.array(z.object({ lease: z.string().regex(/^\d{1,18}$/), parts: z.array(part).max(100_000), final: z.boolean() })).max(10_000),
  wants: z.array(z.object({ planId: z.string().max(64), epoch: z.number().int(), bytes, starved: z.boolean() })).max(10_000),
});

const BODY_LIMIT = 32 * 1_048_576;

/** `POST /edge/sync`, `GET /edge/plan?username=`, `GET /edge/feed`, each with `Authorization: Bearer <the node's key>`. */
export function createEdgeRoutes({ context, notifications }: EdgeControlOptions): EdgeRoute[] {
  const route = (
    name: string,
    method: 'GET' | 'POST',
    handle: (edgeId: string, request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>,
  ): EdgeRoute => ({
    name: `edge-${name}`,
    vital: true,
    matches: (pathname) => pathname === `/edge/${name}`,
    async handle(request, response, { url }) {
      if (request.method !== method) throw fail('method_not_allowed');
      const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      await handle(await edgeOfKey(context(), key), request, response, url);
    },
  });

  return [
    route('sync', 'POST', async (edgeId, request, response) => {
      const read = syncShape.safeParse(parsed(await readBody(request, BODY_LIMIT)));
      if (!read.success) throw fail('parameter_invalid', { reason: 'This is not an exchange of a proxy node.' });
      answer(response, await syncLeases(context(), edgeId, read.data satisfies SyncRequest));
    }),
    route('plan', 'GET', async (_, __, response, url) => {
      const facts = await planFacts(context(), url.searchParams.get('username') ?? '');
      answer(response, facts ? { ...facts, fingerprint: facts.fingerprint.toString('hex') } : null);
    }),
    route('feed', 'GET', async (_, __, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
      const tell = (line: object) => response.write(`${JSON.stringify(line)}\n`);
      const stop = await followChanges(notifications, {
        changed: (change) => tell(change),
        beat: () => tell({}),
        // What was missed nobody knows: the node starts anew.
        lost: () => response.destroy(),
      });
      response.on('close', stop);
      if (response.destroyed) stop();
    }),
  ];
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function answer(response: ServerResponse, value: unknown): void {
  const text = JSON.stringify(value);
  response
    .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' })
    .end(text);
}
