// The request of a line's test, through a proxy that lets everything pass: above all to pages over TLS.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TLSSocket, createSecureContext, createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLineSender } from '#lines/line-sender.ts';
import { certify } from '../../../kit/certificate.ts';

let directory: string;
let ca: string;
let page: Server;
let proxy: Server;
/** The names that visitors of the page have asked for, and what went through the tunnel. */
const seen = { names: [] as string[], up: 0, down: 0 };
const sockets = new Set<Socket>();
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listen = (server: Server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done));

function serveTunnel(client: Socket): void {
  client.on('error', () => {});
  client.once('data', () => {
    const target = connect(portOf(page), '127.0.0.1');
    sockets.add(client).add(target);
    target.on('error', () => {});
    client.write('HTTP/1.1 200 OK\r\n\r\n');
    client.on('data', (bytes) => (seen.up += bytes.length)).pipe(target);
    target.on('data', (bytes) => (seen.down += bytes.length)).pipe(client);
  });
}

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'egress-line-sender-'));
  const { certFile, keyFile } = certify(directory, 'localhost');
  ca = readFileSync(certFile, 'utf8');
  const own = { cert: ca, key: readFileSync(keyFile) };
  const named = (name: string, done: (error: null, context: ReturnType<typeof createSecureContext>) => void) => {
    seen.names.push(name);
    done(null, createSecureContext(own));
  };
  page = createTlsServer({ ...own, SNICallback: named }, (socket: TLSSocket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n127.0.0.31'));
  });
  page.on('tlsClientError', () => {});
  proxy = createServer(serveTunnel);
  await Promise.all([listen(page), listen(proxy)]);
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  page.close();
  proxy.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => void Object.assign(seen, { names: [], up: 0, down: 0 }));

const sendTo = (url: string, port = portOf(proxy)) =>
  createLineSender({ url, ca })(
    { host: '127.0.0.1', port, protocol: 'HTTP', username: 'name', password: 'secret' },
    AbortSignal.timeout(5_000),
  );
const send = (host: string) => sendTo(`https://${host}:${portOf(page)}/`);

test('a page is asked by its name, and has to prove it', async () => {
  const sent = await send('localhost');
  expect([sent, seen.names]).toMatchObject([{ status: 200, exit: { address: '127.0.0.31' }, fault: null }, ['localhost']]);
  expect([sent.upBytes, sent.downBytes]).toEqual([seen.up, seen.down]);
});

test.each(['127.0.0.1', '[::1]'])(
  'a page at the address %s is asked by no name, and the certificate of a name does not stand for it',
  async (host) => {
    expect([await send(host), seen.names]).toMatchObject([{ status: null, fault: { reason: { code: 'line_test_lost' } } }, []]);
  },
);

test('what comes in one with the answer of the proxy is of the tunnel', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n127.0.0.31';
  const hasty = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n\r\n${answer}`));
  });
  await listen(hasty);
  const sent = await sendTo('http://page.example/', portOf(hasty));
  expect(sent).toMatchObject({ status: 200, exit: { address: '127.0.0.31' }, downBytes: answer.length, fault: null });
  hasty.close();
});
