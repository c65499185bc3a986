// /graphql over WebSocket: subscriptions for signed-in pages and for API keys, authorised when they open and again while they stay open.
import type { IncomingMessage } from 'node:http';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { addressGroup } from '#shared/address-group.ts';
import { SECOND } from '#shared/clock.ts';
import type { Clock } from '#shared/clock.ts';
import { Failure, fail, toExtensions, toFailure } from '#shared/errors.ts';
import { type SocketExtra, closeSocket, createGraphqlSockets } from '#shared/graphql-socket.ts';
import type { Viewer } from '#shared/identity.ts';
import { newId } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import type { Access, Origin } from './access.ts';
import { type Gateway, type PreparedOperation, QueryRefused } from './gateway.ts';
import { requireMayRun } from './operations.ts';
import type { OriginPolicy } from './origins.ts';
import type { UpgradeRoute } from './route.ts';
import type { SessionCookie } from './session-cookie.ts';
import type { ResultStream } from './sources/source.ts';

export interface GraphqlSocketOptions {
  gateway: Gateway;
  access: Access;
  cookie: SessionCookie;
  origins: OriginPolicy;
  clock: Clock;
  log: Log;
  limits?: Partial<SocketLimits>;
}

export type SocketLimits = typeof SOCKET_LIMITS;

export const SOCKET_LIMITS = {
  connections: 20_000,
  connectionsPerAddress: 200,
  subscriptionsPerConnection: 50,
  messageBytes: 65_536,
  /** Until the first message of the protocol has come. */
  initMs: 3 * SECOND,
  /** How often open connections are authorised again when no notice comes: a revoked key's socket closes within a second. */
  recheckMs: 0.8 * SECOND,
  /** Look-ups at once while doing so. */
  recheckAtOnce: 16,
};

const PATH = '/graphql';
/** Close code of graphql-ws for who may not; the reason is a code of the catalogue. */
const UNAUTHORIZED = 4401;

/** Exactly one of the two; connections with equal credentials are looked up once per check. */
type Credential = { authorization: string } | { token: string };

interface Connection {
  origin: Origin;
  token: string | undefined;
  header: string | undefined;
  credential?: Credential;
  viewer?: Viewer;
}

type Args = ExecutionArgs & {
  contextValue: { operation: PreparedOperation; viewer: Viewer; variables: Record<string, unknown> | undefined };
};

export function createGraphqlSocketRoute(options: GraphqlSocketOptions): UpgradeRoute {
  const { gateway, access, cookie, origins, clock, log } = options;
  const limits = { ...SOCKET_LIMITS, ...options.limits };
  const open = new Set<SocketExtra<Connection>>();
  const perAddress = new Map<string, number>();

  const identify = (credential: Credential, origin: Origin): Promise<Viewer> =>
    'authorization' in credential ? access.keyNow(credential.authorization, origin) : access.sessionNow(credential.token, origin);

  const server = createGraphqlSockets<Connection>(
    {
      connectionInitWaitTimeout: limits.initMs,

      async onConnect({ connectionParams, extra }) {
        const given = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'] ?? extra.header;
        try {
          if (typeof given === 'string') extra.credential = { authorization: given };
          else if (extra.token) extra.credential = { token: extra.token };
          else throw fail('session_invalid');
          extra.viewer = await identify(extra.credential, extra.origin);
          open.add(extra);
          return true;
        } catch (error) {
          refuse(extra, error);
          return false;
        }
      },

      onDisconnect({ extra }) {
        open.delete(extra);
      },

      async onSubscribe({ extra, subscriptions }, _id, payload) {
        const requestId = newId('req', clock);
        try {
          if (Object.keys(subscriptions).length > limits.subscriptionsPerConnection) {
            throw fail('query_refused', {}, `A connection holds at most ${limits.subscriptionsPerConnection} operations.`);
          }
          const viewer = await viewerOf(extra, requestId);
          const operation = gateway.prepare(String(payload.query), payload.operationName ?? undefined);
          requireMayRun(viewer, operation.kind);
          return {
            schema: operation.graph.apiSchema,
            document: operation.document,
            operationName: operation.name ?? null,
            contextValue: { operation, viewer, variables: payload.variables ?? undefined } satisfies Args['contextValue'],
          };
        } catch (error) {
          const failure = toFailure(error);
          if (failure.code === 'internal') log.error({ requestId, err: error }, 'a subscription could not be opened');
          const extensions = toExtensions(failure, requestId);
          const reasons = error instanceof QueryRefused ? error.errors : [failure];
          return reasons.map(({ message }) => new GraphQLError(message, { extensions }));
        }
      },

      execute: (args) => {
        const { operation, viewer, variables } = (args as Args).contextValue;
        return gateway.execute(operation, { viewer, variables });
      },
      subscribe: (args) => {
        const { operation, viewer, variables } = (args as Args).contextValue;
        return gateway.subscribe(operation, { viewer, variables }) as Promise<AsyncGenerator<ExecutionResult> & ResultStream>;
      },
    },
    { log, maxPayload: limits.messageBytes },
  );

  /** Each operation of a key counts against its bucket, as an HTTP request does. */
  async function viewerOf(extra: Connection, requestId: string): Promise<Viewer> {
    if (!extra.credential || !extra.viewer) throw fail('session_invalid');
    if (!('authorization' in extra.credential)) return { ...extra.viewer, requestId };
    const { viewer, failure } = await access.admitKey(extra.credential.authorization, { ...extra.origin, requestId });
    if (!viewer) throw failure ?? fail('internal');
    return viewer;
  }

  function refuse(extra: SocketExtra<Connection>, error: unknown) {
    const failure = toFailure(error);
    if (failure.code === 'internal') log.error({ requestId: extra.origin.requestId, err: error }, 'a socket could not be authorised');
    closeSocket(extra.socket, failure.status >= 500 ? 4500 : UNAUTHORIZED, failure.code);
  }

  async function check(holders: readonly SocketExtra<Connection>[]): Promise<void> {
    const [first] = holders;
    if (!first?.credential) return;
    try {
      await identify(first.credential, first.origin);
    } catch (error) {
      // A look-up that failed says nothing about the credential.
      if (error instanceof Failure && error.status < 500) for (const extra of holders) refuse(extra, error);
    }
  }

  let checking = false;
  let again = false;
  /** Asks accounts about every credential that is in use, and closes the sockets of those that hold no more. */
  async function recheck(): Promise<void> {
    again = checking;
    if (checking) return;
    checking = true;
    const holders = Map.groupBy(open, ({ credential }) => JSON.stringify(credential)).values();
    // Each of these takes the next credential when it is done with one.
    await Promise.all(
      Array.from({ length: limits.recheckAtOnce }, async () => {
        for (const those of holders) await check(those);
      }),
    );
    checking = false;
    if (again) await recheck();
  }
  const timer = setInterval(() => void recheck(), limits.recheckMs).unref();
  const stopListening = access.onInvalidate(() => void recheck());

  function admit(request: IncomingMessage, address: string) {
    origins.check(request);
    const held = perAddress.get(address) ?? 0;
    if (server.sockets.clients.size >= limits.connections || held >= limits.connectionsPerAddress) throw fail('overloaded');
    perAddress.set(address, held + 1);
    request.socket.once('close', () => {
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
    });
  }

  return {
    matches: (pathname) => pathname === PATH,
    handle(request, socket, head, { address, requestId }) {
      admit(request, addressGroup(address));
      const userAgent = request.headers['user-agent'];
      const origin = { address, requestId, ...(userAgent && { userAgent }) };
      server.open(request, socket, head, { origin, token: cookie.read(request), header: request.headers.authorization });
    },
    async close() {
      clearInterval(timer);
      stopListening();
      await server.close();
    },
  };
}
