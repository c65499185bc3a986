// Consoles of servers in the browser: one WebSocket of the page's session for one ticket, and behind it the hypervisor's or controller's.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import { createBudget } from '#platform/budget.ts';
import { SECOND } from '#platform/clock.ts';
import { Counts } from '#platform/counts.ts';
import type { DoorParts } from '#platform/doors.ts';
import { Failure, fail } from '#platform/errors.ts';
import { closeSocket } from '#platform/graphql-socket.ts';
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
  line: consoleRedeem(serverId: $serverId, ticket: $ticket, sessionId: $sessionId) { kind url authorization user ticket password raw }
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
export function createConsoleRoute({ ask, session, onAccessChange, checkOrigin, log, metrics }: DoorParts): UpgradeRoute {
  const connects = createBudget(LIMITS.connectsPerAccount);
  /** Consoles of each account that are open or being opened. */
  const held = new Counts();
  let holding = 0;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: LIMITS.messageBytes,
    perMessageDeflate: false,
    handleProtocols: (protocols) => (protocols.has('binary') ? 'binary' : false),
  });
  const open = new Set<Open>();

  const asDoor = ({ requestId, address }: Call): Viewer => ({ ...systemViewer('console', requestId), address });

  async function checkServer(serverId: string, call: Call): Promise<void> {
    const { consoleMayStay } = await ask(MAY_STAY, { serverId }, asDoor(call));
    if (consoleMayStay !== true) throw fail('action_not_allowed');
  }

  /** Connected and paused, not yet signed in. Errors: datacenter_silent. */
  const connect = ({ url, authorization }: Line): Promise<WebSocket> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, ['binary'], {
        headers: { authorization },
        handshakeTimeout: LIMITS.openMs,
        perMessageDeflate: false,
      });
      socket.once('open', () => {
        // What it says at once may not be lost before somebody listens.
        socket.pause();
        resolve(socket);
      });
      socket.on('error', (error) => {
        log.warn({ err: error }, 'a console could not be reached, or broke');
        reject(fail('datacenter_silent'));
      });
    });

  async function join(page: WebSocket, console: WebSocket, line: Line): Promise<void> {
    const late = setTimeout(() => closeSocket(page, BROKEN, 'datacenter_silent'), LIMITS.openMs);
    page.on('error', () => page.terminate());
    page.once('close', () => console.terminate());
    console.once('close', () => closeSocket(page, 1000, 'ended'));
    try {
      await relay(page, console, line);
    } catch (error) {
      log.warn({ err: error }, 'a console did not begin');
      closeSocket(page, BROKEN, 'datacenter_silent');
    } finally {
      clearTimeout(late);
    }
  }

  /** Before anything is waited for: of consoles that are opened at the same time as many get one as may. */
  function hold(accountId: string, socket: Duplex): void {
    connects.take(accountId);
    if (holding >= LIMITS.consoles || held.of(accountId) >= LIMITS.consolesPerAccount) throw fail('overloaded');
    held.add(accountId);
    holding++;
    // However it ends, also when it is refused or the page leaves before it begins.
    socket.once('close', () => {
      held.remove(accountId);
      holding--;
    });
  }

  /** A session that is over takes its consoles with it, and so does a server. */
  async function recheck(): Promise<void> {
    await Promise.all(
      [...open].map(({ page, stillMay }) =>
        stillMay().catch((error: unknown) => {
          if (error instanceof Failure && error.status < 500) closeSocket(page, UNAUTHORIZED, error.code);
        }),
      ),
    );
  }
  const timer = setInterval(() => void recheck(), LIMITS.recheckMs).unref();
  const stopListening = onAccessChange(() => void recheck());

  return {
    matches: (pathname) => PATH.test(pathname),
    async handle(request: IncomingMessage, socket: Duplex, head: Buffer, call: Call) {
      checkOrigin(request);
      const { accountId, sessionId } = await session(request, call);
      if (socket.destroyed) return;
      hold(accountId, socket);
      const serverId = PATH.exec(call.url.pathname)?.[1] ?? '';
      const ticket = call.url.searchParams.get('ticket') ?? '';
      const { line } = await ask<{ line: Line }>(DOCUMENT, { serverId, ticket, sessionId }, asDoor(call));
      const console = await connect(line);
      sockets.handleUpgrade(request, socket, head, (page) => {
        const entry: Open = {
          page,
          stillMay: () => Promise.all([session(request, call), checkServer(serverId, call)]),
        };
        open.add(entry);
        metrics.sockets.set({ route: 'console' }, open.size);
        page.once('close', () => {
          open.delete(entry);
          metrics.sockets.set({ route: 'console' }, open.size);
        });
        console.resume();
        void join(page, console, line);
      });
      // A page that left meanwhile was never upgraded.
      if (socket.destroyed) console.terminate();
    },
    async close() {
      clearInterval(timer);
      stopListening();
      for (const { page } of open) closeSocket(page, 1001, 'going away');
      sockets.close();
    },
  };
}
