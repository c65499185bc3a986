// A process that is told to stop reports it before it closes anything, so that load balancers and clients with feeds or sockets go elsewhere.
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import type { Child } from '../kit/child.ts';
import { type Deployment, type Role, createDeployment } from './deployment.ts';

/** Longer than all requests that a test sends meanwhile, also on a busy machine. */
const STOP_DELAY_MS = 2_500;

// Generous limits for a busy machine: parts start in seconds on an idle one.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let deployment: Deployment;
const parts = new Map<Role, Child>();
const part = (role: Role) => parts.get(role) as Child;

beforeAll(async () => {
  deployment = await createDeployment({ STOP_DELAY_MS: String(STOP_DELAY_MS) });
  // Accounts starts first and migrates, so the others need not.
  parts.set('accounts', await deployment.part('accounts'));
  for (const role of ['residential', 'static', 'compute', 'gateway', 'adapter'] as const) parts.set(role, await deployment.part(role));
  parts.set('node', await deployment.part('node', { PLATFORM_URL: deployment.url('residential') }));
});
afterAll(() => deployment.close());

/** A URL's answer: the status, and `status` of the body; `closed` if nothing listens. */
async function said(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { headers: { connection: 'close' } });
    return `${answer.status} ${((await answer.json()) as { status?: string }).status}`;
  } catch {
    return 'closed';
  }
}

/** Whether a port of this machine accepts connections. */
const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(socket.destroy() && true)).once('error', () => resolve(false));
  });

/** Sends half of a request; `rest` sends the other half and resolves with the whole answer. */
async function halfRequest(port: number, body: string): Promise<{ rest(): Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const head = `POST /graphql HTTP/1.1\r\nHost: x\r\nOrigin: http://localhost:${port}\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 1)}`);
  let text = '';
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString();
  });
  return {
    rest: () =>
      new Promise((resolve) => {
        socket.once('close', () => resolve(text)).once('error', () => {});
        socket.write(body.slice(1));
      }),
  };
}

/** Opens a socket of graphql-ws; `ended` resolves to its close code. The gateway keeps a silent socket for three seconds. */
async function openSocket(url: string): Promise<{ ended: Promise<number> }> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return { ended: new Promise((resolve) => socket.once('close', resolve)) };
}

test('every part is live and ready on its health port, and on its own port if that is HTTP', async () => {
  for (const role of parts.keys())
    await expect.poll(() => said(`${deployment.healthUrl(role)}/health/ready`), { timeout: 20_000, message: role }).toMatch(/^200 /);
  for (const role of parts.keys()) expect([role, await said(`${deployment.healthUrl(role)}/health/live`)]).toEqual([role, '200 ok']);
  for (const role of [...parts.keys()].filter((name) => name !== 'node')) {
    expect([role, await said(`${deployment.url(role)}/health/live`)]).toEqual([role, '200 ok']);
    expect([role, (await said(`${deployment.url(role)}/health/ready`)).slice(0, 3)]).toEqual([role, '200']);
  }
  const metrics = await (await fetch(`${deployment.healthUrl('node')}/metrics`)).text();
  expect(metrics).toMatch(/^egress_edge_exits 1$/m);
});

describe.each<Role>(['adapter', 'gateway', 'node', 'residential', 'static', 'compute', 'accounts'])('%s', (role) => {
  test('reports that it stops, serves for the delay, closes its port and sockets, and answers running requests', async () => {
    const own = part(role);
    const speaksHttp = role !== 'node';
    const half = role === 'gateway' ? await halfRequest(deployment.port(role), JSON.stringify({ query: '{ __typename }' })) : undefined;
    const asked = performance.now();
    own.process.kill('SIGTERM');
    await expect.poll(() => said(`${deployment.healthUrl(role)}/health/ready`), { interval: 20 }).toBe('503 stopping');
    expect(await said(`${deployment.healthUrl(role)}/health/live`)).toBe('200 ok');
    if (speaksHttp) {
      expect(await said(`${deployment.url(role)}/health/ready`)).toBe('503 stopping');
      // It still answers, and closes the connection after each answer.
      const answer = await fetch(`${deployment.url(role)}/health/live`);
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    } else expect(await accepts(deployment.port(role))).toBe(true);
    // New requests and sockets are still served.
    const socket = role !== 'adapter' && speaksHttp ? await openSocket(deployment.url(role)) : undefined;
    expect(performance.now() - asked).toBeLessThan(STOP_DELAY_MS);
    await expect.poll(() => accepts(deployment.port(role)), { interval: 20, timeout: 15_000 }).toBe(false);
    const closed = performance.now();
    expect(closed - asked).toBeGreaterThanOrEqual(STOP_DELAY_MS);
    if (half) expect(await half.rest()).toMatch(/^HTTP\/1\.1 200 [^]*"__typename":"Query"/);
    if (socket) expect(await socket.ended).toBe(1012);
    expect(await own.ended).toBe(0);
  });
});
