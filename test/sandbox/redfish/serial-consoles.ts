// The serial lines of machines over WebSocket, with the controller's own log-in: bytes as they are.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { bytesOf } from '../hypervisor/raw-data.ts';
import { openShell } from '../hypervisor/shell.ts';
import { blankMachine } from '../hypervisor/state.ts';
import type { RedfishState } from './state.ts';

export function createSerialConsoles({ state, password }: { state: RedfishState; password: string }) {
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: (protocols) => (protocols.has('binary') ? 'binary' : false) });
  return {
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      socket.on('error', () => socket.destroy());
      const id = /^\/console\/([a-z0-9-]+)$/.exec(request.url ?? '')?.[1] ?? '';
      const machine = state.machines[id];
      const known = `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`;
      if (!machine || request.headers.authorization !== known)
        return void socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        webSocket.on('error', () => webSocket.terminate());
        const { disk, rescue, load } = machine;
        // The same shell as a guest's, on this machine's own disk.
        const shown = {
          ...blankMachine(0, '', id),
          config: { description: rescue ? 'rescue' : (disk?.hostname ?? id) },
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
      });
    },
    close(): void {
      for (const client of sockets.clients) client.terminate();
      sockets.close();
    },
  };
}
