// The platform as proxy nodes see it: in this process, or over HTTP with the node's own key.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { cleanText, isCleanText } from '#platform/clean-text.ts';
import { DAY, SECOND } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import type { Notifications } from '#platform/notifications.ts';
import { readBody } from '#platform/read-body.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import {
  type ControlPlane,
  EXITS_TOLD,
  type FeedListener,
  MAX_USERNAMES,
  type PlanFacts,
  type StaticPlanFacts,
  type SyncRequest,
} from '../../edge/protocol/control-plane.ts';

import { PLAN_CHANNEL } from './leases/entities/lease.ts';
import type { Context } from './providers.ts';
import { edgeOfKey, enrolOwnEdge, planFacts } from './leases/services/edges.ts';
import { receiveEdgeStatus } from './leases/services/edge-desk.ts';
import { syncLeases } from './leases/services/leases.ts';
import { claimStickySessions } from './leases/services/sticky-sessions.ts';

const BEAT_MS = SECOND;

export interface EdgeControlOptions {
  /** A fresh context of the platform's own for each call. */
  context: () => Context;
  notifications: Notifications;
  /** Static plans, as their own subgraph tells of them; without it none are served. */
  staticLines?: StaticLineSource | undefined;
}

export interface StaticLineSource {
  /** Of all plans that have addresses, or of these. */
  plans(ids?: readonly string[]): Promise<readonly StaticPlanFacts[]>;
  /** Calls with the id of every plan whose lines may have changed. Returns how to stop. */
  follow(changed: (planId: string) => void): Promise<() => void>;
}

/** Calls the listener with every committed change of a plan, and a beat a second. */
async function followChanges(
  { notifications, staticLines }: Omit<EdgeControlOptions, 'context'>,
  listener: FeedListener,
): Promise<() => void> {
  const stopStatic = await staticLines?.follow((planId) => listener.staticChanged?.(planId));
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
    stopStatic?.();
    clearInterval(beats);
  };
}

/** For a node in this process. `edgeId` names it in the ledger. */
export async function localControlPlane(options: EdgeControlOptions, edgeId: string): Promise<ControlPlane> {
  const { context, staticLines } = options;
  await enrolOwnEdge(context(), edgeId);
  return {
    plan: (username) => planFacts(context(), username),
    sync: (request) => syncLeases(context(), edgeId, request),
    staticPlans: async (ids) => (await staticLines?.plans(ids)) ?? [],
    claim: (claims) => claimStickySessions(context(), claims),
    report: (status) => receiveEdgeStatus(context(), edgeId, status),
    follow(listener) {
      let stop: (() => void) | undefined;
      let stopped = false;
      followChanges(options, listener).then(
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

const bytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const word = z.string().max(255).transform(cleanText);
const part = z.object({ country: word, session: word.nullable(), host: word, client: word, up: bytes, down: bytes });
const syncShape = z.object({
  reports: z.array(z.object({ lease: z.string().regex(/^\d{1,18}$/), parts: z.array(part).max(100_000), final: z.boolean() })).max(10_000),
  oldPasswords: z
    .array(z.object({ planId: z.string().max(64), client: z.string().max(64), tries: z.number().int().min(1).max(1_000_000) }))
    .max(1_000)
    .optional(),
  wants: z.array(z.object({ planId: z.string().max(64), epoch: z.number().int(), bytes, starved: z.boolean() })).max(10_000),
});

const namesShape = z.object({ usernames: z.array(word).max(MAX_USERNAMES) });

const claimsShape = z
  .array(
    z.object({
      key: z.string().min(1).max(512),
      exitId: word,
      life: z
        .number()
        .int()
        .min(0)
        .max(2 ** 31 - 1),
      lifetimeMs: z.number().min(0).max(DAY),
      lost: word.optional(),
    }),
  )
  .max(1_000)
  .refine((claims) => new Set(claims.map(({ key }) => key)).size === claims.length);

const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const exitShape = z.object({
  id: word,
  kind: word,
  country: word,
  state: word.optional(),
  city: word.optional(),
  carrier: word.optional(),
  products: z.array(word).max(16),
  healthy: z.boolean(),
  connections: count,
  capacity: count.optional(),
  opened: count,
  faults: count,
});
const statusShape = z.object({
  version: word,
  uptimeMs: count,
  endpoints: z.array(word).max(1_000),
  connections: count,
  tunnels: count,
  plans: count,
  sessions: count,
  upBytes: count,
  downBytes: count,
  ledgerFailures: count,
  staticLines: count,
  refusals: z.record(z.string().max(64), count),
  exitCount: count,
  healthyExitCount: count,
  exits: z.array(exitShape).max(EXITS_TOLD),
});

const BODY_LIMIT = 32 * 1_048_576;
/** Open feeds of one node; a node that has lost its line comes back before the old one is known to be dead. One more ends the oldest. */
const FEEDS_PER_NODE = 3;
/** Bytes that wait for a node that does not read: it starts anew. */
const FEED_WAITING_BYTES = 1_048_576;

/** `POST /edge/sync`, `GET /edge/plan?username=`, `POST /edge/plans`, `GET /edge/feed`, `GET /edge/static-plans?id=`, `POST /edge/claims`, `POST /edge/status`, each with `Authorization: Bearer <the node's key>`. */
export function createEdgeRoutes(options: EdgeControlOptions): Route[] {
  const { context, staticLines } = options;
  const feeds = new Map<string, ServerResponse[]>();
  /** Lookups of the same key at the same time share one. */
  const lookups = new Map<string, Promise<string>>();
  const nodeOf = (key: string): Promise<string> => {
    const found = lookups.get(key);
    if (found) return found;
    const lookup = edgeOfKey(context(), key).finally(() => lookups.delete(key));
    lookups.set(key, lookup);
    return lookup;
  };
  let closing = false;
  const route = (
    name: string,
    method: 'GET' | 'POST',
    handle: (edgeId: string, request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>,
  ): Route => ({
    name: `edge-${name}`,
    vital: true,
    matches: (pathname) => pathname === `/edge/${name}`,
    // Nodes hold their feeds open as long as they may, and come back to whoever listens next.
    close() {
      closing = true;
      for (const feed of [...feeds.values()].flat()) feed.end();
    },
    async handle(request, response, { url }) {
      requireMethod(request, response, method);
      const key = /^Bearer (\S{1,128})$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      await handle(await nodeOf(key), request, response, url);
    },
  });

  return [
    route('sync', 'POST', async (edgeId, request, response) => {
      const read = syncShape.safeParse(parsed(await readBody(request, BODY_LIMIT)));
      if (!read.success) throw fail('parameter_invalid', { reason: 'This is not an exchange of a proxy node.' });
      answer(response, await syncLeases(context(), edgeId, read.data satisfies SyncRequest));
    }),
    route('plan', 'GET', async (_, __, response, url) => {
      answer(response, toldFacts(await planFacts(context(), url.searchParams.get('username') ?? '')));
    }),
    route('plans', 'POST', async (_, request, response) => {
      const read = namesShape.safeParse(parsed(await readBody(request, BODY_LIMIT)));
      if (!read.success) throw fail('parameter_invalid', { reason: 'These are not names that a proxy node asks for.' });
      const ctx = context();
      answer(response, (await Promise.all(read.data.usernames.map((username) => planFacts(ctx, username)))).map(toldFacts));
    }),
    route('static-plans', 'GET', async (_, __, response, url) => {
      const ids = url.searchParams.getAll('id').filter(isCleanText);
      const plans = (await staticLines?.plans(ids.length > 0 ? ids : undefined)) ?? [];
      answer(
        response,
        plans.map((plan) => ({ ...plan, fingerprint: hex(plan.fingerprint), oldFingerprints: (plan.oldFingerprints ?? []).map(hex) })),
      );
    }),
    route('claims', 'POST', async (_, request, response) => {
      const read = claimsShape.safeParse(parsed(await readBody(request, BODY_LIMIT)));
      if (!read.success) throw fail('parameter_invalid', { reason: 'These are not claims of a proxy node.' });
      answer(response, await claimStickySessions(context(), read.data));
    }),
    route('status', 'POST', async (edgeId, request, response) => {
      const read = statusShape.safeParse(parsed(await readBody(request, BODY_LIMIT)));
      if (!read.success) throw fail('parameter_invalid', { reason: 'This is not the status of a proxy node.' });
      answer(response, await receiveEdgeStatus(context(), edgeId, read.data));
    }),
    route('feed', 'GET', async (edgeId, _, response) => {
      if (closing) throw fail('overloaded');
      if (response.destroyed) return;
      const open = feeds.get(edgeId) ?? [];
      feeds.set(edgeId, [...open, response].slice(-FEEDS_PER_NODE));
      for (const old of open.slice(0, Math.max(0, open.length + 1 - FEEDS_PER_NODE))) old.destroy();
      response.once('close', () => {
        const left = feeds.get(edgeId)?.filter((one) => one !== response) ?? [];
        if (left.length > 0) feeds.set(edgeId, left);
        else feeds.delete(edgeId);
      });
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' });
      const tell = (line: object) => {
        if (response.writableEnded) return;
        response.write(`${JSON.stringify(line)}\n`);
        if (response.writableLength > FEED_WAITING_BYTES) response.destroy();
      };
      const stop = await followChanges(options, {
        changed: (change) => tell(change),
        staticChanged: (staticPlan) => tell({ staticPlan }),
        beat: () => tell({}),
        // What was missed nobody knows: the node starts anew.
        lost: () => response.destroy(),
      });
      response.on('close', stop);
      if (response.destroyed) stop();
    }),
  ];
}

const hex = (bytes: Buffer): string => bytes.toString('hex');

function toldFacts(facts: PlanFacts | undefined): object | null {
  return facts ? { ...facts, fingerprint: hex(facts.fingerprint), oldFingerprints: facts.oldFingerprints.map(hex) } : null;
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
