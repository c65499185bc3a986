// Consoles of machines over WebSocket, with the controller's own log-in: the serial line as bytes, and the screen as OpenBMC serves it.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { bytesOf } from '../hypervisor/raw-data.ts';
import { drawScreen } from '../hypervisor/screen.ts';
import { openShell } from '../hypervisor/shell.ts';
import { blankMachine } from '../hypervisor/state.ts';
import type { LogIn } from './log-in.ts';
import type { Metal } from './state.ts';

const nameOf = ({ id, disk, rescue }: Metal) => (rescue ? 'rescue' : (disk?.hostname ?? id));

/** The same shell as a guest's, on this machine's own disk. */
function serveLine(webSocket: WebSocket, machine: Metal): void {
  const { id, disk, rescue, load } = machine;
  const shown = {
    ...blankMachine(0, '', id),
    config: { description: nameOf(machine) },
    users: rescue?.users ?? disk?.users ?? {},
    disk: { gigabytes: 1_000, contents: { '/etc/os-release': disk?.os ?? '' } },
    load,
  };
  const shell = openShell(
    shown,
    (output) => webSocket.send(Buffer.from(output)),
    () => {},
  );
  webSocket.on('message', (data) => shell.input(bytesOf(data).toString('utf8')));
}

export function createConsoles(logIn: LogIn) {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => (protocols.has('binary') ? 'binary' : false) });

  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on('error', () => socket.destroy());
      const refuse = (status: string) => void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      const machine = logIn(request.headers.authorization);
      if (!machine) return refuse('401 Unauthorized');
      const isScreen = request.url === '/kvm/0' && !machine.headless;
      if (!isScreen && request.url !== `/console/${machine.id}`) return refuse('404 Not Found');
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on('error', () => webSocket.terminate());
        if (isScreen) drawScreen(webSocket, nameOf(machine));
        else serveLine(webSocket, machine);
      });
    },
    close(): void {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}
