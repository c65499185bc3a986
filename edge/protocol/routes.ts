// The HTTP routes of the protocol, for the parts of the control plane in this process.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { isCleanText } from '#platform/clean-text.ts';
import { fail } from '#platform/errors.ts';
import { readBody } from '#platform/read-body.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { type ControlParts, type StaticPlansControl, followParts } from './control-parts.ts';
import {
  CLAIMS_MESSAGE,
  type FeedMessage,
  STATUS_MESSAGE,
  STATIC_NETWORKS_MESSAGE,
  SYNC_MESSAGE,
  USERNAMES_MESSAGE,
  toMessage,
} from './messages.ts';
import { type EdgePasses, PASS_PREFIX } from './passes.ts';
import { REQUESTS_MESSAGE } from './request-log.ts';

export interface EdgeRoutesOptions extends ControlParts {
  passes: EdgePasses;
}

type Handle = (edgeId: string, request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;

const BODY_LIMIT = 32 * 1_048_576;
/** Open feeds per node: a node may reconnect before its old connection is known to be dead. One more closes the oldest. */
const FEEDS_PER_NODE = 3;
/** A node that does not read its feed, with more bytes waiting than this, is disconnected. */
const FEED_WAITING_BYTES = 1_048_576;

/**
 * With `plans`: `POST /edge/sync`, `GET /edge/plan?username=`, `POST /edge/plans`, `POST /edge/claims`, `POST /edge/requests`, `POST /edge/status`,
 * `GET /edge/gateways`, `GET /edge/networks` and `GET /edge/pass`; with `staticPlans`: `GET /edge/static-plans?id=` and `POST /edge/static-networks`; always:
 * `GET /edge/feed`. All take `Authorization: Bearer <the node's key>`. The last three also take a pass, and without `plans` only a pass.
 */
export function createEdgeRoutes({ plans, staticPlans, passes }: EdgeRoutesOptions): Route[] {
  const feeds = createFeeds({ plans, staticPlans });
  /** Concurrent lookups of the same key share one. */
  const lookups = new Map<string, Promise<string>>();
  const edgeOfKey = (key: string): Promise<string> => {
    const found = lookups.get(key);
    if (found) return found;
    if (!plans) return Promise.reject(fail('edge_unknown'));
    const lookup = plans.edgeOf(key).finally(() => lookups.delete(key));
    lookups.set(key, lookup);
    return lookup;
  };
  const edgeOfKeyOrPass = async (token: string) => (token.startsWith(PASS_PREFIX) ? passes.edgeOf(token) : edgeOfKey(token));

  const route = (name: string, method: 'GET' | 'POST', handle: Handle, edgeOf: (token: string) => Promise<string> = edgeOfKey): Route => ({
    name: `edge-${name}`,
    vital: true,
    matches: (pathname) => pathname === `/edge/${name}`,
    // Feeds stay open until they are closed here; the nodes then reconnect to another process.
    close: () => feeds.close(),
    async handle(request, response, { url }) {
      requireMethod(request, response, method);
      const token = /^Bearer (\S{1,256})$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      await handle(await edgeOf(token), request, response, url);
    },
  });

  const ofPlans = plans && [
    route('sync', 'POST', async (edgeId, request, response) => {
      sendJson(response, 200, await plans.sync(edgeId, await read(request, SYNC_MESSAGE, 'This is not an exchange of a proxy node.')));
    }),
    route('plan', 'GET', async (_, __, response, url) => {
      const [facts] = await plans.plans([url.searchParams.get('username') ?? '']);
      sendJson(response, 200, facts ? toMessage(facts) : null);
    }),
    route('plans', 'POST', async (_, request, response) => {
      const { usernames } = await read(request, USERNAMES_MESSAGE, 'These are not names that a proxy node asks for.');
      sendJson(
        response,
        200,
        (await plans.plans(usernames)).map((facts) => (facts ? toMessage(facts) : null)),
      );
    }),
    route('claims', 'POST', async (_, request, response) => {
      sendJson(response, 200, await plans.claim(await read(request, CLAIMS_MESSAGE, 'These are not claims of a proxy node.')));
    }),
    route('requests', 'POST', async (edgeId, request, response) => {
      await plans.logRequests?.(edgeId, await read(request, REQUESTS_MESSAGE, 'These are not requests of a proxy node.'));
      sendJson(response, 200, {});
    }),
    route('status', 'POST', async (edgeId, request, response) => {
      sendJson(response, 200, await plans.report(edgeId, await read(request, STATUS_MESSAGE, 'This is not the status of a proxy node.')));
    }),
    route('gateways', 'GET', async (_, __, response) => sendJson(response, 200, (await plans.gateways?.()) ?? [])),
    route('networks', 'GET', async (_, __, response) => sendJson(response, 200, (await plans.networks?.()) ?? [])),
    route('pass', 'GET', async (edgeId, _, response) => sendJson(response, 200, passes.give(edgeId))),
  ];
  return [
    ...(ofPlans ?? []),
    ...(staticPlans ? staticRoutes(staticPlans, (name, method, handle) => route(name, method, handle, edgeOfKeyOrPass)) : []),
    route('feed', 'GET', (edgeId, _, response) => feeds.open(edgeId, response), edgeOfKeyOrPass),
  ];
}

/** The routes of static's part. */
const staticRoutes = (staticPlans: StaticPlansControl, route: (name: string, method: 'GET' | 'POST', handle: Handle) => Route): Route[] => [
  route('static-plans', 'GET', async (_, __, response, url) => {
    const ids = url.searchParams.getAll('id').filter(isCleanText);
    sendJson(response, 200, (await staticPlans.staticPlans(ids.length > 0 ? ids : undefined)).map(toMessage));
  }),
  route('static-networks', 'POST', async (_, request, response) => {
    const { used } = await read(request, STATIC_NETWORKS_MESSAGE, 'These are not networks that a proxy node tells of.');
    await staticPlans.networksUsed?.(used);
    sendJson(response, 200, {});
  }),
];

/** The open feeds of nodes. */
function createFeeds(parts: ControlParts) {
  const feeds = new Map<string, ServerResponse[]>();
  let closing = false;
  return {
    /** Throws `overloaded` after `close`. */
    async open(edgeId: string, response: ServerResponse): Promise<void> {
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
      const send = (line: FeedMessage) => {
        if (response.writableEnded) return;
        response.write(`${JSON.stringify(line)}\n`);
        if (response.writableLength > FEED_WAITING_BYTES) response.destroy();
      };
      // Missed changes are unknown, so the node must reconnect and start over.
      const startAnew = () => void response.destroy();
      const stop = await followParts(parts, {
        changed: (change) => send(change),
        staticChanged: (staticPlan) => (staticPlan === undefined ? startAnew() : send({ staticPlan })),
        gatewaysChanged: () => send({ gateways: true }),
        networksChanged: () => send({ networks: true }),
        beat: () => send({}),
        lost: startAnew,
      });
      response.on('close', stop);
      if (response.destroyed) stop();
    },
    close() {
      closing = true;
      for (const feed of [...feeds.values()].flat()) feed.end();
    },
  };
}

/** Throws `parameter_invalid` with this message when the body does not have the shape. */
async function read<Shape extends z.ZodType>(request: IncomingMessage, shape: Shape, message: string): Promise<z.output<Shape>> {
  const body = shape.safeParse(parsed(await readBody(request, BODY_LIMIT)));
  if (!body.success) throw fail('parameter_invalid', {}, message);
  return body.data;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
