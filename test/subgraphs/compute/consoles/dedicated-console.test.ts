// The consoles of a dedicated server as a page uses them: a ticket and one WebSocket through the gateway lead to the machine's own log-in or screen. The
// controller's password never reaches the page.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { openScreen } from '../../../kit/rfb-client.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';
import { buyDedicated } from '../bought-dedicated.ts';
import { type Customer, customerOf } from '../bought-vps.ts';
import { setRows } from '../../../kit/tables.ts';
import { planFaults } from '../../../kit/faults.ts';

type Kind = 'TEXT' | 'GRAPHIC';

let stack: Stack;
let customer: Customer;
let id: string;
beforeAll(async () => {
  stack = await startStack();
  customer = await customerOf(stack);
  ({ id } = await buyDedicated(stack, customer));
});
afterAll(() => stack.close());

const OPEN = 'mutation ($id: ID!, $kind: ConsoleKind!) { opened: dedicatedServerOpenConsole(id: $id, kind: $kind) { path expiresAt } }';
const ticket = async (kind: Kind = 'TEXT', { ask } = customer) => (await ask<{ opened: { path: string } }>(OPEN, { id, kind })).opened.path;
const dial = (path: string, cookie = customer.cookie) =>
  new WebSocket(`${stack.url.replace('http', 'ws')}${path}`, ['binary'], { headers: { cookie, origin: stack.url } });
const refused = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('open', () => resolve(101));
    socket.on('error', () => {});
  });
async function change(how: { headless: boolean }): Promise<void> {
  const [machine] = stack.sandbox.controllers.machines().filter(({ disk }) => disk !== null);
  await stack.sandbox.controllers.change(machine?.id ?? '', (one) => Object.assign(one, how));
}

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
  // The page's message about its window size is not typed into the console.
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

test('shows its screen without a password, and takes what is typed', async () => {
  const socket = dial(await ticket('GRAPHIC'));
  const screen = await openScreen(socket);
  expect(screen).toMatchObject({ version: 'RFB 003.008\n', securityTypes: [1], title: 'metal-1' });
  const before = await screen.picture();
  expect(before.length).toBe(screen.width * screen.height);
  screen.press(0x61);
  expect(await screen.picture()).not.toEqual(before);
  socket.close();
});

test('the text console is the default', async () => {
  const { opened } = await customer.ask<{ opened: { path: string } }>(
    'mutation ($id: ID!) { opened: dedicatedServerOpenConsole(id: $id) { path } }',
    { id },
  );
  const socket = dial(opened.path);
  const said = await new Promise((resolve) => socket.once('message', (data: Buffer) => resolve(String(data))));
  expect(said).toContain('metal-1 ttyS0');
  socket.close();
});

test.each<Kind>(['TEXT', 'GRAPHIC'])('a ticket for %s is good once, for its own session, for a minute', async (kind) => {
  const used = await ticket(kind);
  const first = dial(used);
  expect(await refused(first)).toBe(101);
  first.close();
  expect(await refused(dial(used))).toBe(403);
  const stranger = await customerOf(stack);
  expect(await refused(dial(await ticket(kind), stranger.cookie))).toBe(403);
  const late = await ticket(kind);
  stack.clock.advance(61_000);
  expect(await refused(dial(late))).toBe(403);
});

test('nobody else gets a ticket', async () => {
  const stranger = await customerOf(stack);
  await expect(ticket('TEXT', stranger)).rejects.toThrow('no such server');
  await expect(ticket('GRAPHIC', stranger)).rejects.toThrow('no such server');
});

test('a machine whose controller offers no screen says so, and keeps its text console', async () => {
  const early = await ticket('GRAPHIC');
  await change({ headless: true });
  await expect(ticket('GRAPHIC')).rejects.toThrow('The controller of this machine offers no graphic console.');
  expect(await refused(dial(early))).toBe(409);
  const text = dial(await ticket('TEXT'));
  expect(await refused(text)).toBe(101);
  text.close();
  await change({ headless: false });
});

test('a controller that does not answer is reported before a ticket is issued', async () => {
  planFaults(stack.sandbox.controllers.faults.next, { fault: 'refused', on: 'system' });
  await expect(ticket('GRAPHIC')).rejects.toThrow('datacenter does not answer');
});

test('an open console ends when its server is not Active any more, though the machine goes on', async () => {
  const socket = dial(await ticket('GRAPHIC'));
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await openScreen(socket);
  await setRows(stack.database.query, 'compute.server', { status: 'SUSPENDED' }, { id });
  expect(await closed).toBe(4401);
  await setRows(stack.database.query, 'compute.server', { status: 'ACTIVE' }, { id });
});
