// /graphql over WebSocket: subscriptions for signed-in pages and for API keys, authorised when they open and again while they stay open.
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import { SECOND } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { Failure, fail, toExtensions, toFailure } from '#platform/errors.ts';
import { type SocketExtra, closeSocket, createGraphqlSockets } from '#platform/graphql-socket.ts';
import type { Origin, Viewer } from '#platform/identity.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import { Counts } from '#platform/counts.ts';
import type { Access } from '../sign-in/access.ts';
import { bearerKey } from '../http/bearer.ts';
import { type BudgetTerms, type Ticks, createBudget } from '#platform/budget.ts';
import { type Gateway, type PreparedOperation, QueryRefused } from './gateway.ts';
import { requireMayRun } from './operations.ts';
import type { GraphqlAdmission } from './graphql-admission.ts';
import type { OriginPolicy } from '../http/origins.ts';
import { type UpgradeRoute, originOf } from '#platform/route.ts';
import type { SessionCookie } from '../sign-in/session-cookie.ts';
import type { ResultStream } from './sources/source.ts';

export interface GraphqlSocketOptions {
  gateway: Gateway;
  access: Access;
  admission: GraphqlAdmission;
  cookie: SessionCookie;
  origins: OriginPolicy;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  limits?: Partial<SocketLimits>;
  /** What the windows of connects go by; default: monotonic time. */
  now?: Ticks;
}

export interface SocketLimits {
  connections: number;
  connectionsPerAccount: number;
  connectsPerCaller: BudgetTerms;
  subscriptionsPerConnection: number;
  messageBytes: number;
  initMs: number;
  recheckMs: number;
  recheckAtOnce: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  connections: 20_000,
  /** From however many addresses. */
  connectionsPerAccount: 500,
  /** Of one credential, known or not, before anybody looks it up. */
  connectsPerCaller: { burst: 300, perSecond: 5 },
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
/** Close codes; the reason is a code of the catalogue. Of graphql-ws: who may not, and what broke. RFC 6455's registry: try again later. */
const [UNAUTHORIZED, BROKEN, LATER] = [4401, 4500, 1013];

/** Exactly one of the two, parsed and bounded before anything is asked or kept; connections with equal credentials are looked up once per check. */
type Credential = { key: string } | { token: string };

interface Connection {
  origin: Origin;
  token: string | undefined;
  header: string | undefined;
  credential?: Credential;
  viewer?: Viewer;
}

const secretOf = (credential: Credential): string => ('key' in credential ? credential.key : credential.token);

/** Throws key_missing, key_malformed, session_invalid. */
function credentialOf(given: unknown, token: string | undefined): Credential {
  if (typeof given === 'string') {
    const key = bearerKey(given);
    if (key instanceof Failure) throw key;
    return { key };
  }
  if (!token) throw fail('session_invalid');
  return { token };
}

type Args = ExecutionArgs & {
  contextValue: { operation: PreparedOperation; viewer: Viewer; variables: Record<string, unknown> | undefined };
};

export function createGraphqlSocketRoute(options: GraphqlSocketOptions): UpgradeRoute {
  const { gateway, access, admission, cookie, origins, clock, log, metrics } = options;
  const limits = { ...SOCKET_LIMITS, ...options.limits };
  const open = new Set<SocketExtra<Connection>>();
  const perAccount = new Counts();
  const connectsOfCaller = createBudget(limits.connectsPerCaller, options.now);

  const identify = (credential: Credential, origin: Origin): Promise<Viewer> =>
    'key' in credential ? access.keyNow(credential.key, origin) : access.sessionNow(credential.token, origin);

  const accountOf = ({ viewer }: Connection): string => (viewer && 'accountId' in viewer ? viewer.accountId : '');

  function keep(extra: SocketExtra<Connection>): void {
    if (perAccount.of(accountOf(extra)) >= limits.connectionsPerAccount) throw fail('connections_exhausted');
    perAccount.add(accountOf(extra));
    open.add(extra);
    metrics.sockets.set({ route: 'graphql' }, open.size);
  }

  function free(extra: SocketExtra<Connection>): void {
    if (!open.delete(extra)) return;
    perAccount.remove(accountOf(extra));
    metrics.sockets.set({ route: 'graphql' }, open.size);
  }

  const server = createGraphqlSockets<Connection>(
    {
      connectionInitWaitTimeout: limits.initMs,

      async onConnect(connection) {
        const { connectionParams, extra } = connection;
        const given = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'] ?? extra.header;
        // What a client sent with its first message would stay for as long as it stays.
        Object.assign(connection, { connectionParams: undefined });
        extra.header = undefined;
        try {
          extra.credential = credentialOf(given, extra.token);
          connectsOfCaller.take(secretOf(extra.credential));
          extra.viewer = await identify(extra.credential, extra.origin);
          // Who left while it was looked up has been closed already, and nothing would free it any more.
          if (extra.socket.readyState !== extra.socket.OPEN) return false;
          keep(extra);
          return true;
        } catch (error) {
          refuse(extra, error);
          return false;
        }
      },

      // Not onDisconnect: that one only follows a connection that was let in.
      onClose({ extra }) {
        free(extra);
      },

      async onSubscribe({ extra, subscriptions }, _id, payload) {
        const requestId = newId('req', clock);
        try {
          if (Object.keys(subscriptions).length > limits.subscriptionsPerConnection) {
            throw fail('query_refused', {}, `A connection holds at most ${limits.subscriptionsPerConnection} operations.`);
          }
          const viewer = await viewerOf(extra, requestId);
          const operation = await gateway.prepareFor(viewer, String(payload.query), payload.operationName ?? undefined);
          requireMayRun(viewer, operation.kind);
          const { credential } = extra;
          const authorization = credential && 'key' in credential ? `Bearer ${credential.key}` : undefined;
          const { failure } = await admission.countGenerations(viewer, authorization, operation.generations);
          if (failure) throw failure;
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
    if (!('key' in extra.credential)) {
      admission.takeOf(extra.viewer);
      return { ...extra.viewer, requestId };
    }
    const { viewer, failure } = await access.admitKey(`Bearer ${extra.credential.key}`, { ...extra.origin, requestId });
    if (!viewer) throw failure ?? fail('internal');
    return viewer;
  }

  function refuse(extra: SocketExtra<Connection>, error: unknown) {
    const failure = toFailure(error);
    if (failure.code === 'internal') log.error({ requestId: extra.origin.requestId, err: error }, 'a socket could not be authorised');
    closeSocket(extra.socket, failure.status === 429 ? LATER : failure.status >= 500 ? BROKEN : UNAUTHORIZED, failure.code);
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
    // A key may be bound to addresses: that it holds from one says nothing about another.
    const holders = Map.groupBy(open, ({ credential, origin }) => `${origin.address} ${credential && secretOf(credential)}`).values();
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

  return {
    matches: (pathname) => pathname === PATH,
    handle(request, socket, head, call) {
      origins.check(request);
      if (server.sockets.clients.size >= limits.connections) throw fail('overloaded');
      const origin = originOf(call);
      server.open(request, socket, head, { origin, token: cookie.read(request), header: request.headers.authorization });
    },
    async close() {
      clearInterval(timer);
      stopListening();
      await server.close();
    },
  };
}
