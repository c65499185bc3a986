// Consoles of servers in the browser: one WebSocket of the page's session for one ticket, and behind it the hypervisor's or controller's.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { createBudget } from '#platform/budget.ts';
import { SECOND } from '#platform/clock.ts';
import { Counts } from '#platform/counts.ts';
import type { DoorParts } from '#platform/doors.ts';
import { Failure, fail } from '#platform/errors.ts';
import { closeSocket, closeForRestart } from '#platform/graphql-socket.ts';
import { type Viewer, systemViewer } from '#platform/identity.ts';
import type { Call, UpgradeRoute } from '#platform/route.ts';
import { type Line, relay } from './relays.ts';

const LIMITS = {
  consoles: 1_000,
  consolesPerAccount: 10,
  /** Of an account, let in or not: each asks the datacenter. */
  connectsPerAccount: { burst: 60, perSecond: 1 },
  /** What a page may send at once; a pasted text is far below it. */
  messageBytes: 262_144,
  /** Until the console has let us in. */
  openMs: 10 * SECOND,
  /** How often the session and the server of an open console are looked at when no notice comes. */
  recheckMs: 5 * SECOND,
};

const PATH = /^\/console\/((?:vps|ded)_[0-9a-z]{26})$/;
const DOCUMENT = `mutation consoleRedeem($serverId: ID!, $ticket: String!, $sessionId: String!) {
  line: consoleRedeem(serverId: $serverId, ticket: $ticket, sessionId: $sessionId) { kind url authorization cookie authorities user ticket password raw }
}`;
const MAY_STAY = `query consoleMayStay($serverId: ID!) { consoleMayStay(serverId: $serverId) }`;
/** Close codes that the page tells apart: who may not any more, and what broke. */
const [UNAUTHORIZED, BROKEN] = [4401, 4500];

interface Open {
  page: WebSocket;
  stillMay(): Promise<unknown>;
}

/**
 * `GET /console/{serverId}?ticket=` as a WebSocket: bytes both ways. session_invalid 401, origin_forbidden and console_ticket_invalid 403 (used, expired, of another
 * session or server), action_not_allowed 409, datacenter_silent and overloaded 503.
 */
export const createConsoleRoute = (parts: DoorParts): UpgradeRoute => new ConsoleRoute(parts);

class ConsoleRoute implements UpgradeRoute {
  readonly name = 'console';
  private readonly parts: DoorParts;
  private readonly connects = createBudget(LIMITS.connectsPerAccount);
  /** Consoles of each account that are open or being opened. */
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
    const { accountId, sessionId } = await this.parts.session(request, call);
    if (socket.destroyed) return;
    this.hold(accountId, socket);
    const serverId = PATH.exec(call.url.pathname)?.[1] ?? '';
    const ticket = call.url.searchParams.get('ticket') ?? '';
    const { line } = await this.parts.ask<{ line: Line }>(DOCUMENT, { serverId, ticket, sessionId }, asDoor(call));
    const console = await this.connect(line);
    this.sockets.handleUpgrade(request, socket, head, (page) => {
      this.note({ page, stillMay: () => Promise.all([this.parts.session(request, call), this.checkServer(serverId, call)]) });
      console.resume();
      void this.join(page, console, line);
    });
    // A page that left meanwhile was never upgraded.
    if (socket.destroyed) console.terminate();
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    this.stopListening();
    for (const { page } of this.open) closeForRestart(page);
    this.sockets.close();
  }

  /** Before anything is waited for: of consoles that are opened at the same time as many get one as may. */
  private hold(accountId: string, socket: Duplex): void {
    this.connects.take(accountId);
    if (this.holding >= LIMITS.consoles || this.held.of(accountId) >= LIMITS.consolesPerAccount) throw fail('overloaded');
    this.held.add(accountId);
    this.holding++;
    // However it ends, also when it is refused or the page leaves before it begins.
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

  /** A session that is over takes its consoles with it, and so does a server. */
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

  /** Connected and paused, not yet signed in. Errors: datacenter_silent. */
  private connect({ url, authorization, cookie, authorities }: Line): Promise<WebSocket> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(url, ['binary'], {
        headers: cookie === null ? { authorization } : { cookie },
        ...(authorities !== null && { ca: authorities }),
        handshakeTimeout: LIMITS.openMs,
        perMessageDeflate: false,
      });
      socket.once('open', () => {
        // What it says at once may not be lost before somebody listens.
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
