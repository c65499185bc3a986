// Bytes that a page sends before its console reads them wait at the page, not in the gateway's memory.
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { byteLine } from '../../../../../subgraphs/compute/consoles/doors/byte-line.ts';
import { until } from '../../../../gateway/world.ts';

let server: WebSocketServer;
let page: WebSocket;
let gateway: WebSocket;
beforeEach(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const arrived = once(server, 'connection') as Promise<[WebSocket]>;
  page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  [gateway] = await arrived;
  if (page.readyState !== page.OPEN) await once(page, 'open');
});
afterEach(() => {
  page.terminate();
  server.close();
});

test.each([
  ['few long ones', 40, 8_192],
  ['many short ones', 4_000, 1],
])('messages that nobody reads stop the page: %s', async (_, count, length) => {
  const line = byteLine(gateway);
  for (let index = 0; index < count; index++) page.send(Buffer.alloc(length, index));
  await until(() => gateway.isPaused);

  // A reader that begins late gets all bytes, in order.
  const first = await line.read(1);
  let received = 0;
  let last: number | undefined;
  line.deliver((data) => {
    received += data.length;
    last = data.at(-1);
  });
  await until(() => received === count * length - 1);
  expect([first[0], last]).toEqual([0, (count - 1) % 256]);
});

test('a read for more than is buffered continues reading', async () => {
  const line = byteLine(gateway);
  for (let index = 0; index < 30; index++) page.send(Buffer.alloc(8_192));
  await until(() => gateway.isPaused);
  expect(await line.read(200_000)).toHaveLength(200_000);
});
