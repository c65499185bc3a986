// Consoles of a VPS through the relay: a ticket opens one session, once; the hypervisor's own consoles cannot be reached.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { SECOND } from '#platform/clock.ts';
import { addCluster } from '../../../../subgraphs/compute/machines/services/clusters.ts';
import { type Customer, buyVps, customerOf, passTime } from '../bought-vps.ts';
import { openScreen } from '../../../kit/rfb-client.ts';
import { type Stack, startStack } from '../../../kit/stack.ts';
import { deleteRows } from '../../../kit/tables.ts';

const METRICS_TOKEN = 'a token of sixteen';

let stack: Stack;
let owner: Customer;
let id: string;
beforeAll(async () => {
  stack = await startStack({ environment: { METRICS_TOKEN } });
  owner = await customerOf(stack);
  ({ id } = await buyVps(stack, owner));
});
afterAll(() => stack.close());
const opened: WebSocket[] = [];
beforeEach(() => {
  for (const socket of opened.splice(0)) socket.terminate();
});

const ticket = async (kind: 'TEXT' | 'GRAPHIC' = 'TEXT', customer = owner, server = id): Promise<string> =>
  (
    await customer.ask<{ vpsOpenConsole: { path: string } }>(
      'mutation ($id: ID!, $kind: ConsoleKind!) { vpsOpenConsole(id: $id, kind: $kind) { path } }',
      { id: server, kind },
    )
  ).vpsOpenConsole.path;

/** Opens a WebSocket as a page does. Resolves with the HTTP status when it is refused. */
function open(path: string, cookie = owner.cookie, origin = stack.url): Promise<WebSocket | number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(stack.url.replace('http', 'ws') + path, ['binary'], { headers: { cookie, origin } });
    socket.on('error', () => {});
    socket.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.once('open', () => {
      opened.push(socket);
      resolve(socket);
    });
  });
}

/** Collects what comes from the socket as text; `until` resolves with it when it contains `part`. */
function screenOf(socket: WebSocket) {
  let text = '';
  let seen: (() => void) | undefined;
  socket.on('message', (data) => {
    text += String(data);
    seen?.();
  });
  return {
    until: (part: string) =>
      new Promise<string>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no ${part} in ${text}`)), 5_000);
        seen = () => {
          if (!text.includes(part)) return;
          clearTimeout(late);
          resolve(text);
          text = '';
        };
        seen();
      }),
  };
}

async function socketOf(kind: 'TEXT' | 'GRAPHIC' = 'TEXT', server = id): Promise<WebSocket> {
  const socket = await open(await ticket(kind, owner, server));
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  return socket;
}

test('the owner logs in on the text console and works on the machine’s own disk', async () => {
  const { vpsRevealPassword } = await owner.ask<{ vpsRevealPassword: string }>('mutation ($id: ID!) { vpsRevealPassword(id: $id) }', {
    id,
  });
  const socket = await socketOf();
  const screen = screenOf(socket);
  socket.send(JSON.stringify({ columns: 100, rows: 30 }));
  const type = (text: string) => socket.send(Buffer.from(text));
  await screen.until('web-1 login: ');
  type('debian\r');
  await screen.until('Password: ');
  type(`${vpsRevealPassword}\r`);
  await screen.until('debian@web-1:~$ ');
  type('echo über alles > /srv/note\r');
  await screen.until('$ ');
  expect(stack.sandbox.hypervisor.machines()[0]?.disk?.contents['/srv/note']).toBe('über alles');
});

test('a wrong password is no log-in', async () => {
  const socket = await socketOf();
  const screen = screenOf(socket);
  await screen.until('login: ');
  socket.send(Buffer.from('debian\r'));
  await screen.until('Password: ');
  socket.send(Buffer.from('guess\r'));
  await screen.until('Login incorrect');
});

test('the graphic console asks the page for no password and shows the machine’s screen', async () => {
  const socket = await socketOf('GRAPHIC');
  const screen = await openScreen(socket);
  expect(screen).toMatchObject({ version: 'RFB 003.008\n', securityTypes: [1], title: 'web-1' });
  expect((await screen.picture()).length).toBe(screen.width * screen.height);
});

test('of a machine in a second cluster, although the first one has another of its number and name', async () => {
  const terms = { ...stack.sandbox.vienna.terms, location: 'Vienna', addresses: '127.82.0.10-127.82.0.60/16', gateway: '127.82.0.1' };
  await addCluster(stack.subgraphs.compute.systemContext('test'), 'vienna', terms);
  const { id: there } = await buyVps(stack, owner, 'plan: PLANK, months: 1, os: DEBIAN_12, hostname: "wien-1", location: "Vienna"');
  const [machine] = stack.sandbox.vienna.machines();
  await stack.sandbox.hypervisor.install(machine?.vmid ?? 0, 'fra1', there.replace('_', '-'), true);
  const screen = screenOf(await socketOf('TEXT', there));
  await screen.until('wien-1 login: ');
  expect(await openScreen(await socketOf('GRAPHIC', there))).toMatchObject({ title: 'wien-1' });
});

test('a ticket is valid once, for a minute, for its session and server, from the platform’s own pages', async () => {
  const stranger = await customerOf(stack);
  const used = await ticket();
  expect(await open(used)).toBeInstanceOf(WebSocket);
  expect(await open(used)).toBe(403);
  expect(await open(await ticket(), stranger.cookie)).toBe(403);
  expect(await open((await ticket()).replace(id, `vps_${'0'.repeat(26)}`))).toBe(403);
  expect(await open(`/console/${id}?ticket=guess`)).toBe(403);
  expect(await open(await ticket(), '')).toBe(401);
  expect(await open(await ticket(), owner.cookie, 'https://elsewhere.example')).toBe(403);
  const late = await ticket();
  stack.clock.advance(60 * SECOND);
  expect(await open(late)).toBe(403);
});

test('a ticket that somebody else has tried is used up', async () => {
  const stranger = await customerOf(stack);
  const stolen = await ticket();
  expect(await open(stolen, stranger.cookie)).toBe(403);
  expect(await open(stolen)).toBe(403);
});

test('only the owner gets a ticket, and only for a running server', async () => {
  const stranger = await customerOf(stack);
  await expect(ticket('TEXT', stranger)).rejects.toThrow('no such server');
  const waiting = await ticket();
  await owner.ask('mutation ($id: ID!) { vpsForceStop(id: $id) { id } }', { id });
  await passTime(stack);
  await expect(ticket()).rejects.toThrow('must be powered on; it is stopped');
  expect(await open(waiting)).toBe(409);
  await owner.ask('mutation ($id: ID!) { vpsStart(id: $id) { id } }', { id });
  await passTime(stack);
});

test('an open console ends with its machine, and with its session', async () => {
  const first = await socketOf();
  const ended = new Promise<number>((resolve) => first.once('close', resolve));
  await owner.ask('mutation ($id: ID!) { vpsForceStop(id: $id) { id } }', { id });
  await passTime(stack);
  expect(await ended).toBe(1000);
  await owner.ask('mutation ($id: ID!) { vpsStart(id: $id) { id } }', { id });
  await passTime(stack);
  const second = await socketOf();
  const closed = new Promise<number>((resolve) => second.once('close', resolve));
  await deleteRows(stack.database.query, 'accounts.session', { account_id: owner.accountId });
  expect(await closed).toBe(4401);
});

test('an account can open ten consoles at the same time', async () => {
  const customer = await customerOf(stack);
  const { id: server } = await buyVps(stack, customer);
  const paths: string[] = [];
  for (let count = 0; count < 14; count++) {
    const { opened: path } = await customer.ask<{ opened: { path: string } }>(
      'mutation ($id: ID!) { opened: vpsOpenConsole(id: $id, kind: TEXT) { path } }',
      { id: server },
    );
    paths.push(path.path);
  }
  const answers = await Promise.all(paths.map((path) => open(path, customer.cookie)));
  expect(answers.filter((answer) => typeof answer !== 'number')).toHaveLength(10);
  expect(answers.filter((answer) => answer === 503)).toHaveLength(4);

  const text = () =>
    fetch(`${stack.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } }).then((answer) => answer.text());
  const held = async () => /egress_sockets\{route="console"\} (\d+)/.exec(await text())?.[1];
  expect(Number(await held())).toBeGreaterThanOrEqual(10);
  // Once these have closed, as many others may be opened.
  for (const socket of opened.splice(0)) socket.terminate();
  await expect.poll(held).toBe('0');
  const again = await customer.ask<{ opened: { path: string } }>(
    'mutation ($id: ID!) { opened: vpsOpenConsole(id: $id, kind: TEXT) { path } }',
    { id: server },
  );
  expect(await open(again.opened.path, customer.cookie)).toBeInstanceOf(WebSocket);
});
