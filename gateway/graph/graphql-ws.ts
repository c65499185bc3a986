// /graphql over WebSocket: operations of signed-in pages and of API keys. A connection is authorised when it opens, and again and again while it stays open.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';
import type { Context, SubscribePayload } from 'graphql-ws';
import { SECOND } from '#platform/clock.ts';
import type { Clock } from '#platform/clock.ts';
import { fail, toExtensions, toFailure } from '#platform/errors.ts';
import { type GraphqlSockets, type SocketExtra, closeSocket, createGraphqlSockets } from '#platform/graphql-socket.ts';
import type { Viewer } from '#platform/identity.ts';
import { newId } from '#platform/ids.ts';
import type { Log } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics.ts';
import type { Access } from '../sign-in/access.ts';
import { type Budget, type BudgetTerms, type Ticks, createBudget } from '#platform/budget.ts';
import { type Gateway, type PreparedOperation, QueryRefused } from './gateway.ts';
import { type RequireKnown, anyDocument } from './known-documents.ts';
import { RegisteredDocuments } from './registered-documents.ts';
import { requireMayRun } from './access-rules.ts';
import type { GraphqlAdmission } from './graphql-admission.ts';
import type { OriginPolicy } from '../http/origins.ts';
import { type Call, type UpgradeRoute, originOf } from '#platform/route.ts';
import type { SessionCookie } from '../sign-in/session-cookie.ts';
import { type Connection, OpenConnections, credentialOf, secretOf } from './socket-connections.ts';
import { RECHECK_LIMITS, Recheck, type RecheckLimits, holderNow } from './socket-recheck.ts';
import type { ResultStream } from './sources/source.ts';

export interface GraphqlSocketOptions {
  gateway: Gateway;
  access: Access;
  admission: GraphqlAdmission;
  cookie: Pick<SessionCookie, 'read'>;
  origins: OriginPolicy;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Checks which documents may be asked without a key; default: any document. */
  requireKnown?: RequireKnown;
  /** Default: none is stored. */
  documents?: RegisteredDocuments;
  limits?: Partial<SocketLimits>;
  /** The time that the limit of connects goes by; default: monotonic time. */
  now?: Ticks;
}

export interface SocketLimits extends RecheckLimits {
  connections: number;
  connectionsPerAccount: number;
  connectsPerCaller: BudgetTerms;
  subscriptionsPerConnection: number;
  messageBytes: number;
  initMs: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  ...RECHECK_LIMITS,
  connections: 20_000,
  /** Whatever number of addresses they come from. */
  connectionsPerAccount: 500,
  /** Connects with one credential, whether it exists or not; counted before the look-up. */
  connectsPerCaller: { burst: 300, perSecond: 5 },
  subscriptionsPerConnection: 50,
  messageBytes: 65_536,
  /** Until the client has sent the first message of the protocol. */
  initMs: 3 * SECOND,
};

const PATH = '/graphql';
/** Close codes; the reason is a code of the catalogue. 4401 and 4500 are those of graphql-ws; 1013, in RFC 6455's registry, means: try again later. */
const [UNAUTHORIZED, BROKEN, LATER] = [4401, 4500, 1013];

type Args = ExecutionArgs & {
  contextValue: { operation: PreparedOperation; viewer: Viewer; variables: Record<string, unknown> | undefined };
};

export const createGraphqlSocketRoute = (options: GraphqlSocketOptions): UpgradeRoute => new GraphqlSocketRoute(options);

class GraphqlSocketRoute implements UpgradeRoute {
  readonly name = 'graphql';
  readonly #options: GraphqlSocketOptions;
  readonly #documents: RegisteredDocuments;
  readonly #limits: SocketLimits;
  readonly #connectsOfCaller: Budget;
  readonly #open: OpenConnections;
  readonly #server: GraphqlSockets<Connection>;
  readonly #recheck: Recheck<SocketExtra<Connection>>;

  constructor(options: GraphqlSocketOptions) {
    this.#options = options;
    this.#documents = options.documents ?? new RegisteredDocuments();
    this.#limits = { ...SOCKET_LIMITS, ...options.limits };
    this.#connectsOfCaller = createBudget(this.#limits.connectsPerCaller, options.now);
    this.#open = new OpenConnections(this.#limits.connectionsPerAccount, options.metrics);
    this.#server = this.#createServer();
    this.#recheck = new Recheck(
      options.access,
      {
        all: () => this.#open.all(),
        refuse: (extra, failure) => this.#refuse(extra, failure),
        renew: ({ socket }) => closeSocket(socket, BROKEN, 'rights_changed'),
      },
      this.#limits,
    );
  }

  matches(pathname: string): boolean {
    return pathname === PATH;
  }

  handle(request: IncomingMessage, socket: Duplex, head: Buffer, call: Call): void {
    const { origins, cookie } = this.#options;
    origins.check(request);
    if (this.#server.sockets.clients.size >= this.#limits.connections) throw fail('overloaded');
    const origin = originOf(call);
    const { logFields } = call;
    this.#server.open(request, socket, head, { origin, logFields, token: cookie.read(request), header: request.headers.authorization });
  }

  async close(): Promise<void> {
    this.#recheck.stop();
    await this.#server.close();
  }

  #createServer(): GraphqlSockets<Connection> {
    const { gateway, log } = this.#options;
    return createGraphqlSockets<Connection>(
      {
        connectionInitWaitTimeout: this.#limits.initMs,
        onConnect: (connection) => this.#connect(connection),
        // Not onDisconnect, which is called only for connections that were let in.
        onClose: ({ extra }) => this.#open.remove(extra),
        onSubscribe: ({ extra, subscriptions }, _id, payload) => this.#openOperation(extra, Object.keys(subscriptions).length, payload),
        execute: (args) => {
          const { operation, viewer, variables } = (args as Args).contextValue;
          return gateway.execute(operation, { viewer, variables });
        },
        subscribe: (args) => {
          const { operation, viewer, variables } = (args as Args).contextValue;
          return gateway.subscribe(operation, { viewer, variables }) as Promise<AsyncGenerator<ExecutionResult> & ResultStream>;
        },
      },
      { log, maxPayload: this.#limits.messageBytes },
    );
  }

  async #connect(connection: Context<Record<string, unknown>, SocketExtra<Connection>>): Promise<boolean> {
    const { connectionParams, extra } = connection;
    const given = connectionParams?.['authorization'] ?? connectionParams?.['Authorization'] ?? extra.header;
    // Otherwise the library keeps what the client sent with its first message for as long as the connection is open.
    Object.assign(connection, { connectionParams: undefined });
    extra.header = undefined;
    try {
      extra.credential = credentialOf(given, extra.token);
      this.#connectsOfCaller.take(secretOf(extra.credential));
      extra.viewer = await holderNow(this.#options.access, extra.credential, extra.origin);
      extra.logFields.caller = extra.viewer;
      // A client that left during the look-up has had its onClose already; adding it now would occupy a place for ever.
      if (extra.socket.readyState !== extra.socket.OPEN) return false;
      this.#open.add(extra);
      return true;
    } catch (error) {
      this.#refuse(extra, error);
      return false;
    }
  }

  async #openOperation(extra: SocketExtra<Connection>, openHere: number, payload: SubscribePayload): Promise<Args | GraphQLError[]> {
    const { gateway, admission, clock, log, requireKnown = anyDocument } = this.#options;
    const requestId = newId('req', clock);
    try {
      const { subscriptionsPerConnection: max } = this.#limits;
      if (openHere > max) throw fail('query_refused', {}, `A connection holds at most ${max} operations.`);
      const viewer = await this.#viewerOf(extra, requestId);
      requireKnown(viewer, String(payload.query));
      await this.#documents.require(viewer, String(payload.query));
      const operation = await gateway.prepareFor(viewer, String(payload.query), payload.operationName ?? undefined);
      requireMayRun(viewer, operation);
      const { credential } = extra;
      const authorization = credential && 'key' in credential ? `Bearer ${credential.key}` : undefined;
      const { failure } = await admission.countGenerations(viewer, authorization, operation.generations);
      if (failure) throw failure;
      return {
        schema: operation.graph.apiSchema,
        document: operation.document,
        operationName: operation.name ?? null,
        contextValue: { operation, viewer, variables: payload.variables ?? undefined },
      };
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === 'internal') log.error({ requestId, err: error }, 'a subscription could not be opened');
      const extensions = toExtensions(failure, requestId);
      const reasons = error instanceof QueryRefused ? error.errors : [failure];
      return reasons.map(({ message }) => new GraphQLError(message, { extensions }));
    }
  }

  /** Each operation of a key is counted in the key's bucket, as an HTTP request is. */
  async #viewerOf(extra: Connection, requestId: string): Promise<Viewer> {
    const { access, admission } = this.#options;
    if (!extra.credential || !extra.viewer) throw fail('session_invalid');
    if (!('key' in extra.credential)) {
      admission.takeOf(extra.viewer);
      return { ...extra.viewer, requestId };
    }
    const { viewer, failure } = await access.admitKey(`Bearer ${extra.credential.key}`, { ...extra.origin, requestId });
    if (!viewer) throw failure ?? fail('internal');
    return viewer;
  }

  #refuse(extra: SocketExtra<Connection>, error: unknown): void {
    const failure = toFailure(error);
    if (failure.code === 'internal')
      this.#options.log.error({ requestId: extra.origin.requestId, err: error }, 'a socket could not be authorised');
    closeSocket(extra.socket, failure.status === 429 ? LATER : failure.status >= 500 ? BROKEN : UNAUTHORIZED, failure.code);
  }
}
