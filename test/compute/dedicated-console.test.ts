// The serial line of a dedicated server in the page's hands: a ticket, one WebSocket through the gateway, the machine's own log-in. The controller's never leaves.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Stack, startStack } from '../kit/stack.ts';
import { buyDedicated } from './bought-dedicated.ts';
import { type Customer, customerOf } from './bought-vps.ts';

let stack: Stack;
let customer: Customer;
let id: string;
beforeAll(async () => {
  stack = await startStack();
  customer = await customerOf(stack);
  ({ id } = await buyDedicated(stack, customer));
});
afterAll(() => stack.close());

const ticket = async () =>
  (
    await customer.ask<{ opened: { path: string } }>(
      'mutation ($id: ID!) { opened: dedicatedServerOpenConsole(id: $id) { path expiresAt } }',
      {
        id,
      },
    )
  ).opened.path;
const dial = (path: string, cookie = customer.cookie) =>
  new WebSocket(`${stack.url.replace('http', 'ws')}${path}`, ['binary'], { headers: { cookie, origin: stack.url } });
const refused = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('open', () => resolve(101));
    socket.on('error', () => {});
  });

test('logs in on the console with the password of the server', async () => {
  const { password } = await customer.ask<{ password: string }>(
    'mutation ($id: ID!) { password: dedicatedServerRevealPassword(id: $id) }',
    { id },
  );
  const socket = dial(await ticket());
  let seen = '';
  socket.on('message', (data: Buffer) => (seen += data.toString()));
  const see = async (text: string) => {
    await expect.poll(() => seen, { timeout: 10_000 }).toContain(text);
    seen = '';
  };
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  // What the page says of its window is not typed into the line.
  socket.send(JSON.stringify({ columns: 80, rows: 24 }));
  await see('login: ');
  socket.send(Buffer.from('debian\r'));
  await see('Password: ');
  socket.send(Buffer.from(`${password}\r`));
  await see('$ ');
  socket.send(Buffer.from('cat /etc/os-release\r'));
  await see('debian-13');
  socket.close();
});

test('a ticket is good once, for its own session, for a minute', async () => {
  const used = await ticket();
  const first = dial(used);
  expect(await refused(first)).toBe(101);
  first.close();
  expect(await refused(dial(used))).toBe(403);
  const stranger = await customerOf(stack);
  expect(await refused(dial(await ticket(), stranger.cookie))).toBe(403);
  const late = await ticket();
  stack.clock.advance(61_000);
  expect(await refused(dial(late))).toBe(403);
});

test('nobody else gets a ticket', async () => {
  const stranger = await customerOf(stack);
  await expect(stranger.ask('mutation ($id: ID!) { dedicatedServerOpenConsole(id: $id) { path } }', { id })).rejects.toThrow(
    'no such server',
  );
});
