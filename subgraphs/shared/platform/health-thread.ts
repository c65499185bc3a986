// The thread of the health port. It knows what the main thread sent last, and how long ago.
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import type { FromHealth, HealthOrders, ToHealth } from './health-port.ts';
import { PROGRAM_VERSION } from './program-version.ts';
import { type Readiness, mayBeSent } from './readiness.ts';

/** A main thread whose event loop has not run for so long is taken for dead: a supervisor may restart the process. */
const DEAD_MS = 30_000;
/** Readiness that is older than this counts as unknown. */
const STALE_MS = 15_000;
const METRICS_MS = 5_000;
const LOOK_MS = 250;

const { port, host, beat } = workerData as HealthOrders;
const beats = new Int32Array(beat);
let lastBeat = { count: 0, at: performance.now() };
let report: { readiness: Readiness; at: number } | undefined;
const asked = new Map<number, ServerResponse>();
let asks = 0;

const post = (message: FromHealth) => parentPort?.postMessage(message);
const send = (response: ServerResponse, status: number, body: object) =>
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...(status === 503 && { 'Retry-After': '2' }) })
    .end(JSON.stringify({ ...body, version: PROGRAM_VERSION }));
const seconds = (since: number) => Math.round((performance.now() - since) / 100) / 10;

setInterval(() => {
  const count = Atomics.load(beats, 0);
  if (count !== lastBeat.count) lastBeat = { count, at: performance.now() };
}, LOOK_MS);

const routes: Record<string, (response: ServerResponse) => void> = {
  '/health/live': (response) => {
    const silent = performance.now() - lastBeat.at;
    const lives = silent < DEAD_MS;
    send(response, lives ? 200 : 503, { status: lives ? 'ok' : 'unavailable', turnedSecondsAgo: seconds(lastBeat.at) });
  },
  '/health/ready': (response) => {
    const known = report && performance.now() - report.at < STALE_MS ? report : undefined;
    if (!known) return void send(response, 503, { status: 'unavailable', checks: {} });
    send(response, mayBeSent(known.readiness) ? 200 : 503, { ...known.readiness, lookedSecondsAgo: seconds(known.at) });
  },
  '/metrics': (response) => {
    const id = ++asks;
    asked.set(id, response);
    const late = setTimeout(() => asked.delete(id) && send(response, 503, { status: 'unavailable' }), METRICS_MS);
    response.on('close', () => {
      clearTimeout(late);
      asked.delete(id);
    });
    post({ metrics: id });
  },
};

parentPort?.on('message', (message: ToHealth) => {
  if ('readiness' in message) return void (report = { readiness: message.readiness, at: performance.now() });
  const response = asked.get(message.id);
  asked.delete(message.id);
  if (!response) return;
  if (message.metrics === null) send(response, 503, { status: 'unavailable' });
  else response.writeHead(200, { 'Content-Type': message.type, 'Cache-Control': 'no-store' }).end(message.metrics);
});

const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 }, (request, response) => {
  const route = request.method === 'GET' || request.method === 'HEAD' ? routes[(request.url ?? '').split('?')[0] ?? ''] : undefined;
  if (route) route(response);
  else send(response, 404, { status: 'not found' });
});
server.maxConnections = 256;
server.once('error', ({ message, code }: NodeJS.ErrnoException) => post({ failed: message, code }));
server.listen(port, host, () => post({ listening: (server.address() as AddressInfo).port }));
