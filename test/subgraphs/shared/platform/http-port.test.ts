// A closing port waits for requests in progress, but not for idle connections.
import { type AddressInfo, type Socket, connect } from 'node:net';
import { expect, test } from 'vitest';
import { createHttpPort, drainHttpPort } from '#platform/http-port.ts';

test('a connection that never said anything does not keep a port from closing, and an answer under way is waited for', async () => {
  const server = createHttpPort({}, { request: (_, response) => void setTimeout(() => response.end('late'), 1_200), upgrade: () => {} });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const silent: Socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => silent.once('connect', resolve));
  const gone = new Promise<number>((resolve) => silent.once('close', () => resolve(performance.now())).on('error', () => {}));
  const asked = fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text());
  await new Promise((resolve) => server.once('request', resolve));
  const began = performance.now();
  const drained = drainHttpPort(server, 10_000);
  expect((await gone) - began).toBeLessThan(1_100);
  expect(await asked).toBe('late');
  await drained;
  expect(performance.now() - began).toBeLessThan(4_000);
});
