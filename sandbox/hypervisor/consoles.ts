// Consoles over WebSocket, opened as in the real API: once, by the user who asked for the console, with the ticket and port of a proxy call. Sources: qemu-server 9.2.6,
// PVE/API2/Qemu.pm, vncwebsocket: the ticket is checked against the caller (verify_vnc_ticket); pve-xtermjs 5.3, termproxy/src/main.rs: the first line is checked at
// POST /access/ticket, which accepts no name of an API token (luthermonson/go-proxmox issue 221). From qemu-server 9.2 on the ticket alone is checked.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Logins } from './logins.ts';
import { bytesOf } from './raw-data.ts';
import type { RealNode } from './real/real-node.ts';
import { drawScreen } from './screen.ts';
import { openShell } from './shell.ts';
import type { ConsoleWish, HypervisorState } from './state.ts';

export interface ConsolesOptions {
  state: HypervisorState;
  real: RealNode | undefined;
  logins: Logins;
  now(): number;
  changed(): void;
}

const PATH = /^\/api2\/json\/nodes\/([^/]+)\/qemu\/(\d+)\/vncwebsocket$/;

export function createConsoles({ state, real, logins, now, changed }: ConsolesOptions) {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => (protocols.has('binary') ? 'binary' : false) });

  /** The console for which this request has the ticket; a ticket is valid once. */
  function take(request: IncomingMessage): ConsoleWish | undefined {
    const url = new URL(request.url ?? '', 'http://sandbox');
    const [, node, vmid] = PATH.exec(url.pathname) ?? [];
    const user = logins.userOf(new Headers(request.headers as Record<string, string>));
    if (user === undefined) return undefined;
    state.consoles = state.consoles.filter(({ until }) => until > now());
    const index = state.consoles.findIndex(
      (wish) =>
        wish.user === user &&
        wish.node === node &&
        wish.vmid === Number(vmid) &&
        String(wish.port) === url.searchParams.get('port') &&
        wish.ticket === url.searchParams.get('vncticket'),
    );
    return index < 0 ? undefined : state.consoles.splice(index, 1)[0];
  }

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on('error', () => socket.destroy());
      const wish = take(request);
      const machine = wish && state.machines[wish.vmid];
      if (!wish || !machine?.running)
        return void socket.end('HTTP/1.1 401 permission denied\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on('error', () => webSocket.terminate());
        if (wish.kind === 'text')
          serveText(
            webSocket,
            wish,
            takesTokens(state),
            (write) => real?.line(machine, write) ?? { ...openShell(machine, write, changed), close: () => {} },
          );
        else if (!real?.screen(machine, webSocket, wish.password))
          drawScreen(webSocket, String(machine.config['description'] ?? machine.name), wish.password);
        // The console is closed when its machine stops.
        const watch = setInterval(() => {
          if (!state.machines[wish.vmid]?.running) webSocket.close(1000);
        }, 250).unref();
        webSocket.once('close', () => clearInterval(watch));
      });
    },
    close(): void {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}

const takesTokens = ({ version = '8.4.1' }: HypervisorState): boolean => Number.parseFloat(version) >= 9.2;

interface Line {
  input(text: string): void;
  close(): void;
}

/** The client first sends a line `user:ticket`, answered by OK; then frames: `0:LENGTH:bytes` for input, `1:COLUMNS:ROWS:` for the size, `2` to keep the connection alive. */
function serveText(socket: WebSocket, { ticket, user }: ConsoleWish, tokens: boolean, open: (write: (text: string) => void) => Line): void {
  let line: Line | undefined;
  socket.once('close', () => line?.close());
  socket.on('message', (data) => {
    const text = bytesOf(data).toString('utf8');
    if (!line) {
      if (text.trimEnd() !== `${user}:${ticket}` || (user.includes('!') && !tokens)) return socket.close(1008);
      socket.send('OK');
      line = open((output) => socket.send(Buffer.from(output)));
      return;
    }
    const [, length, input = ''] = /^0:(\d+):(.*)$/s.exec(text) ?? [];
    if (length !== undefined && Buffer.byteLength(input) === Number(length)) line.input(input);
    else if (length !== undefined || !/^(1:\d+:\d+:|2)$/.test(text)) socket.close(1008);
  });
}
