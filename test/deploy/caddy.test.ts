// The Caddyfile in a real Caddy: it passes on the client's real address, WebSockets and unbuffered feeds, and hides the metrics.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { freePorts } from '../kit/ports.ts';

/** Starts a server that answers with the request's headers; `/feed` sends a word and stays open until the client leaves. */
async function startBehind(): Promise<{ server: Server; port: number; left: Promise<void> }> {
  const left = Promise.withResolvers<void>();
  const server = createServer((asked, response) => {
    if (asked.url === '/feed')
      response.on('close', left.resolve).writeHead(200, { 'content-type': 'application/octet-stream' }).write('now');
    else response.end(JSON.stringify(asked.headers));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => socket.on('message', (text: Buffer) => socket.send(`heard ${text.toString()}`)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, port: (server.address() as AddressInfo).port, left: left.promise };
}

/** Starts Caddy with the Caddyfile on ports of this test, with a certificate that Caddy issues itself. */
async function startCaddy(behind: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'egress-caddy-'));
  const first = await freePorts(3);
  const given = readFileSync(new URL('../../deploy/Caddyfile', import.meta.url), 'utf8');
  const own = `admin off\n\thttp_port ${first}\n\thttps_port ${first + 1}\n\tlocal_certs\n\tskip_install_trust`;
  writeFileSync(join(folder, 'Caddyfile'), given.replace('admin off', own).replace('127.0.0.1:2020', `127.0.0.1:${first + 2}`));
  const caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: {
      ...process.env,
      HOME: folder,
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      PUBLIC_HOST: 'localhost',
      PLATFORM_ADDRESS: `127.0.0.1:${behind}`,
    },
    stdio: 'ignore',
  });
  const ended = once(caddy, 'close');
  onTestFinished(async () => {
    caddy.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true });
  });
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${first + 2}/`)).status).toBe(200), { timeout: 10_000, interval: 50 });
  return first + 1;
}

const isInstalled = !spawnSync('caddy', ['version']).error;

// Debian: caddy.
test.skipIf(!isInstalled)('Caddy passes on the client’s address, sockets and feeds, and hides metrics', async () => {
  const behind = await startBehind();
  onTestFinished(() => {
    behind.server.close();
    behind.server.closeAllConnections();
  });
  const port = await startCaddy(behind.port);
  const open = async (path: string, options: RequestOptions = {}): Promise<IncomingMessage> => {
    const asked = request({ host: '127.0.0.1', port, path, servername: 'localhost', rejectUnauthorized: false, ...options });
    const [answer] = (await once(asked.setHeader('host', 'localhost').end(), 'response')) as [IncomingMessage];
    return answer;
  };

  const forged = await open('/anything', { headers: { 'x-forwarded-for': '198.51.100.7' } });
  const seen = JSON.parse(Buffer.concat(await forged.toArray()).toString()) as Record<string, string>;
  expect(seen).toMatchObject({ host: 'localhost', 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });

  expect((await open('/metrics')).statusCode).toBe(404);

  const feed = await open('/feed');
  expect(String((await once(feed, 'data'))[0])).toBe('now');
  feed.destroy();
  await behind.left;

  const socket = new WebSocket(`wss://localhost:${port}/graphql`, { rejectUnauthorized: false });
  await once(socket, 'open');
  socket.send('this');
  expect(String((await once(socket, 'message'))[0])).toBe('heard this');
  socket.close();
  await once(socket, 'close');
});
