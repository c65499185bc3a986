import { type Socket, createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { readDatagram, writeDatagram } from '../../edge/socks-datagram.ts';
import { PASSWORD } from './memory-ledger.ts';
import { type Client, type World, startWorld } from './world.ts';

let world: World | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await world?.close();
});

async function udp(address = '127.0.0.1'): Promise<Socket> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  socket.bind(0, address);
  await once(socket, 'listening');
  return socket;
}

/** Answers every datagram with its sender's address and its text. */
async function udpEcho(): Promise<Socket> {
  const socket = await udp();
  socket.on('message', (bytes, { address, port }) => socket.send(`${address} ${bytes.toString()}`, port, address));
  return socket;
}

async function associate(started: World, username: string): Promise<{ client: Client; relay: number }> {
  const client = await started.client();
  client.write(
    Buffer.concat([
      Buffer.from([5, 1, 2, 1, username.length]),
      Buffer.from(username),
      Buffer.from([PASSWORD.length]),
      Buffer.from(PASSWORD),
      Buffer.from([5, 3, 0, 1, 0, 0, 0, 0, 0, 0]),
    ]),
  );
  const answer = await client.until(14);
  expect([...answer.subarray(0, 8)]).toEqual([5, 2, 1, 0, 5, 0, 0, 1]);
  return { client, relay: answer.readUInt16BE(12) };
}

const message = async (socket: Socket): Promise<Buffer> => ((await once(socket, 'message')) as [Buffer])[0];

test('carries datagrams to a target and its answers back, from the exit, counted by their payload', async () => {
  const echo = await udpEcho();
  world = await startWorld({ demoTarget: { address: '127.0.0.1', port: echo.address().port } });
  const plan = world.ledger.plan();
  const { client, relay } = await associate(world, `${plan.username}-country-de`);
  const customer = await udp();
  customer.send(writeDatagram({ host: '127.0.0.1', port: echo.address().port, payload: Buffer.from('hello') }), relay, '127.0.0.1');
  const answer = readDatagram(await message(customer));
  expect(answer?.payload.toString()).toMatch(/^127\.0\.0\.1[123] hello$/);
  expect(answer?.port).toBe(echo.address().port);
  await world.edge.plans.leases.flush();
  expect([...world.ledger.breakdown(plan).values()]).toEqual([{ up: 5n, down: BigInt(answer?.payload.length ?? 0) }]);
  client.socket.destroy();
  while (world.edge.figures().tunnels > 0) await new Promise((done) => setImmediate(done));
});

test('drops datagrams to forbidden targets, fragments, and what others send into the association', async () => {
  const echo = await udpEcho();
  const forbidden = await udp();
  let reached = false;
  forbidden.on('message', () => (reached = true));
  world = await startWorld({ demoTarget: { address: '127.0.0.1', port: echo.address().port } });
  const plan = world.ledger.plan();
  const { relay } = await associate(world, plan.username);
  const [customer, stranger, other] = [await udp(), await udp(), await udp('127.0.0.9')];
  const to = (port: number, text: string) => writeDatagram({ host: '127.0.0.1', port, payload: Buffer.from(text) });
  customer.send(to(forbidden.address().port, 'no'), relay, '127.0.0.1');
  const fragment = to(echo.address().port, 'fragment');
  fragment[2] = 1;
  customer.send(fragment, relay, '127.0.0.1');
  customer.send(to(echo.address().port, 'first'), relay, '127.0.0.1');
  expect(readDatagram(await message(customer))?.payload.toString()).toContain('first');
  stranger.send(to(echo.address().port, 'stranger'), relay, '127.0.0.1');
  other.send(to(echo.address().port, 'other'), relay, '127.0.0.1');
  customer.send(to(echo.address().port, 'last'), relay, '127.0.0.1');
  expect(readDatagram(await message(customer))?.payload.toString()).toContain('last');
  expect(reached).toBe(false);
  await world.edge.plans.leases.flush();
  expect([...world.ledger.breakdown(plan).values()].map(({ up }) => up)).toEqual([9n]);
});

test('a reset of the password ends the association', async () => {
  world = await startWorld();
  const plan = world.ledger.plan();
  const { client } = await associate(world, plan.username);
  world.ledger.reset(plan, 'new');
  await client.ended();
});
