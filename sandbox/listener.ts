// A vendor's HTTP server: a Hono application on a port of its own.
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createAdaptorServer } from '@hono/node-server';
import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { StartFailure } from '#platform/start-failure.ts';
import { hang, stallOf } from './stall.ts';

/** What a vendor's application has in `c.env`: Node's own request and response. */
export interface NodeBindings {
  Bindings: HttpBindings;
}

export interface Listener {
  url: string;
  close(): Promise<void>;
}

interface ListenOptions {
  /** Handles WebSocket upgrades. */
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** As PEM; without it HTTP is used. */
  tls?: { key: string; cert: string };
}

/** Listens on `port`, 0 for a free one. Rejects with a readable message when the port is taken. */
export async function listen(app: Hono<NodeBindings>, host: string, port: number, { upgrade, tls }: ListenOptions = {}): Promise<Listener> {
  let url = '';
  const server = createAdaptorServer({
    ...(tls && { createServer, serverOptions: tls }),
    fetch: (request, env) => {
      const how = stallOf(url);
      return how ? hang(env as HttpBindings, how) : app.fetch(request, env as HttpBindings);
    },
  });
  if (upgrade) server.on('upgrade', upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(new StartFailure(`The sandbox cannot listen on ${host}:${port} (${cause.code}).`, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  url = toUrl(host, address.port).replace(/^http/, tls ? 'https' : 'http');
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

/** The URL to visit: a server that listens on all interfaces is reached at the loopback address. */
function toUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://127.0.0.1:${port}`;
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}
