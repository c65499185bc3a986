// Consoles of servers in the browser: a ticket opens one WebSocket for the page's session, which is connected to one at the hypervisor or controller.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { createBudget } from '#platform/budget.ts';
import { SECOND } from '#platform/clock.ts';
import { Counts } from '#platform/counts.ts';
import type { DoorParts } from '#platform/doors.ts';
import { Failure, fail } from '#platform/errors.ts';
import { closeSocket, closeForRestart } from '#platform/graphql-socket.ts';
import { type Viewer, mayReach, systemViewer } from '#platform/identity.ts';
import type { Call, UpgradeRoute } from '#platform/route.ts';
import { type Line, relay } from './relays.ts';

const LIMITS = {
  consoles: 1_000,
  consolesPerAccount: 10,
  /** How often an account may try to connect, successfully or not: each try sends a request to the datacenter. */
  connectsPerAccount: { burst: 60, perSecond: 1 },
  /** The largest message of a page; pasted text is far smaller. */
  messageBytes: 262_144,
  /** How long connecting to the console, and then signing in, may take. */
  openMs: 10 * SECOND,
  /** How often the session and the server of each open console are checked when no notice of a change comes. */
  recheckMs: 5 * SECOND,
};

const PATH = /^\/console\/((?:vps|ded)_[0-9a-z]{26})$/;
const DOCUMENT = `mutation consoleRedeem($serverId: ID!, $ticket: String!, $sessionId: String!) {
  line: consoleRedeem(serverId: $serverId, ticket: $ticket, sessionId: $sessionId) { kind url authorization cookie authorities user ticket password raw }
}`;
const MAY_STAY = `query consoleMayStay($serverId: ID!) { consoleMayStay(serverId: $serverId) }`;
/** Close codes that the page distinguishes: the session may no longer use the console, or the console broke. */
const [UNAUTHORIZED, BROKEN] = [4401, 4500];

interface Open {
  page: WebSocket;
  stillMay(): Promise<unknown>;
}

/**
 * `GET /console/{serverId}?ticket=` as a WebSocket: bytes in both directions. session_invalid 401, origin_forbidden and console_ticket_invalid 403 (used,
 * expired, of another session or server), action_not_allowed 409, datacenter_silent and overloaded 503.
 */
export const createConsoleRoute = (parts: DoorParts): UpgradeRoute => new ConsoleRoute(parts);

class ConsoleRoute implements UpgradeRoute {
  readonly name = 'console';
  private readonly parts: DoorParts;
  private readonly connects = createBudget(LIMITS.connectsPerAccount);
  /** How many consoles of each account are open or being opened. */
  private readonly held = new Counts();
  private holding = 0;
  private readonly open = new Set<Open>();
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.messageBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has('binary') ? 'binary' : false),
  });
  private readonly timer = setInterval(() => void this.recheck(), LIMITS.recheckMs).unref();
  private readonly stopListening: () => void;

  constructor(parts: DoorParts) {
    this.parts = parts;
    this.stopListening = parts.onAccessChange(() => void this.recheck());
  }

  matches(pathname: string): boolean {
    return PATH.test(pathname);
  }

  async handle(request: IncomingMessage, socket: Duplex, head: Buffer, call: Call): Promise<void> {
    this.parts.checkOrigin(request);
    const { accountId, sessionId } = await this.parts.session(request, call, 'servers');
    if (socket.destroyed) return;
    this.hold(accountId, socket);
    const serverId = PATH.exec(call.url.pathname)?.[1] ?? '';
    const ticket = call.url.searchParams.get('ticket') ?? '';
    const { line } = await this.parts.ask<{ line: Line }>(DOCUMENT, { serverId, ticket, sessionId }, asDoor(call));
    // Whoever has left the team, or has no access to the server any more, has lost the console too.
    const stillActs = async () => {
      const viewer = await this.parts.session(request, call, 'servers');
      if (viewer.accountId !== accountId || !mayReach(viewer, serverId)) throw fail('session_invalid');
    };
    const console = await this.connect(line);
    this.sockets.handleUpgrade(request, socket, head, (page) => {
      this.note({ page, stillMay: () => Promise.all([stillActs(), this.checkServer(serverId, call)]) });
      console.resume();
      void this.join(page, console, line);
    });
    // The page left meanwhile, so it was not upgraded.
    if (socket.destroyed) console.terminate();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.stopListening();
    for (const { page } of this.open) closeForRestart(page);
    this.sockets.close();
  }

  /** Counts the console against the limits. This happens before anything asynchronous, so that simultaneous attempts cannot exceed them. */
  private hold(accountId: string, socket: Duplex): void {
    this.connects.take(accountId);
    if (this.holding >= LIMITS.consoles || this.held.of(accountId) >= LIMITS.consolesPerAccount) throw fail('overloaded');
    this.held.add(accountId);
    this.holding++;
    // On every end, also when it is refused or the page leaves before it begins.
    socket.once('close', () => {
      this.held.remove(accountId);
      this.holding--;
    });
  }

  private note(entry: Open): void {
    const { open } = this;
    const { sockets } = this.parts.metrics;
    open.add(entry);
    sockets.set({ route: 'console' }, open.size);
    entry.page.once('close', () => {
      open.delete(entry);
      sockets.set({ route: 'console' }, open.size);
    });
  }

  /** Closes the consoles of sessions that are over, and of servers that are no longer ACTIVE. */
  private async recheck(): Promise<void> {
    await Promise.all(
      [...this.open].map(({ page, stillMay }) =>
        stillMay().catch((error: unknown) => {
          if (error instanceof Failure && error.status < 500) closeSocket(page, UNAUTHORIZED, error.code);
        }),
      ),
    );
  }

  private async checkServer(serverId: string, call: Call): Promise<void> {
    const { consoleMayStay } = await this.parts.ask(MAY_STAY, { serverId }, asDoor(call));
    if (consoleMayStay !== true) throw fail('action_not_allowed');
  }

  /** Connects to the console and pauses the socket; signing in comes later. Errors: datacenter_silent. */
  private connect({ url, authorization, cookie, authorities }: Line): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, ['binary'], {
        headers: cookie === null ? { authorization } : { cookie },
        ...(authorities !== null && { ca: authorities }),
        handshakeTimeout: LIMITS.openMs,
        perMessageDeflate: false,
      });
      socket.once('open', () => {
        // What it sends at once must not be lost before somebody listens.
        socket.pause();
        resolve(socket);
      });
      socket.on('error', (error) => {
        this.parts.log.warn({ err: error }, 'a console could not be reached, or broke');
        reject(fail('datacenter_silent'));
      });
    });
  }

  private async join(page: WebSocket, console: WebSocket, line: Line): Promise<void> {
    const late = setTimeout(() => closeSocket(page, BROKEN, 'datacenter_silent'), LIMITS.openMs);
    page.on('error', () => page.terminate());
    page.once('close', () => console.terminate());
    console.once('close', () => closeSocket(page, 1000, 'ended'));
    try {
      await relay(page, console, line);
    } catch (error) {
      this.parts.log.warn({ err: error }, 'a console did not begin');
      closeSocket(page, BROKEN, 'datacenter_silent');
    } finally {
      clearTimeout(late);
    }
  }
}

const asDoor = ({ requestId, address }: Call): Viewer => ({ ...systemViewer('console', requestId), address });
