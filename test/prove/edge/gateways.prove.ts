// Sellers that lie, refuse, disconnect and recover, and nodes that disappear: the bytes that customers got are those charged and those that the sellers bill,
// no line reaches a forbidden target, sticky lines keep their exit, and afterwards everything works.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDialler } from '../../../edge/dial.ts';
import type { Edge } from '../../../edge/edge.ts';
import type { GatewayDefinition } from '../../../edge/protocol/gateway.ts';
import { type SandboxGateway, startSandboxGateway } from '../../../sandbox/gateways/gateway.ts';
import { chance } from '../../kit/chance.ts';
import { PRODUCTS, type Target, type World, connectHead, openClient, startTarget, startWorld } from '../../edge/world.ts';
import { say, scaled } from '../scale.ts';

const COUNTRIES = ['de', 'fr', 'us'];
let world: World;
let shop: Target;
const sellers: SandboxGateway[] = [];
const nodes: Edge[] = [];

beforeAll(async () => {
  shop = await startTarget((socket) => {
    socket.once('data', (bytes) => socket.end(Buffer.alloc(Number(bytes.toString()), 1)));
  });
  for (const network of [91, 92, 93])
    sellers.push(
      await startSandboxGateway({
        grammar: 'customer',
        network,
        lookUp: (name) => (name.endsWith('.example') ? shop.endpoint : undefined),
      }),
    );
  const exits = sellers.map(({ endpoint }, index): GatewayDefinition => ({
    kind: 'gateway',
    id: `seller-${index}`,
    products: PRODUCTS,
    protocol: index === 1 ? 'socks5' : 'http',
    host: endpoint.address,
    port: endpoint.port,
    username: 'customer-acme[-cc-{country|upper}][-sessid-{session}[-sesstime-{minutes}]]',
    password: 'c-secret',
    countries: '*',
    resolve: 'exit',
  }));
  world = await startWorld({ exits, dial: createDialler({ next: () => undefined }) });
  nodes.push(world.edge, await world.another());
});
afterAll(async () => {
  await world.close();
  for (const seller of sellers) await seller.close();
  await shop.close();
});

const MOODS: ((seller: SandboxGateway, country: string) => void)[] = [
  ({ moods }) => (moods.changedPassword = true),
  ({ moods }) => (moods.unpaid = true),
  ({ moods }) => (moods.busy = true),
  ({ moods }) => (moods.broken = 'closes'),
  ({ moods }, country) => moods.empty.add(country),
  ({ moods }) => moods.forbidden.add('bank.example'),
  ({ moods }, country) => (moods.elsewhere[country] = 'jp'),
];
const calm = ({ moods }: SandboxGateway) =>
  Object.assign(moods, {
    changedPassword: false,
    unpaid: false,
    busy: false,
    broken: 'no',
    elsewhere: {},
    empty: new Set(),
    forbidden: new Set(),
  });

test('sellers with every fault and nodes that disappear: both bills agree to the byte, and no internal target is reached', async () => {
  const random = chance(7);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const plan = world.ledger.plan();
  let got = 0;
  const answers = new Map<string, number>();
  const visit = async (line: string, host: string, bytes: number) => {
    const client = await openClient(pick(nodes).ports[0] as number);
    client.write(connectHead(`${host}:443`, line));
    const head = await client.until('\r\n\r\n').catch(() => Buffer.from('HTTP/1.1 000'));
    const status = head.toString().slice(9, 12);
    answers.set(status, (answers.get(status) ?? 0) + 1);
    if (status !== '200') return void client.socket.destroy();
    client.skip(head.indexOf('\r\n\r\n') + 4);
    const request = String(bytes);
    client.write(request);
    const received = await client.ended();
    got += received.length + request.length;
    client.socket.destroy();
  };
  const count = scaled(3_000);
  for (let done = 0; done < count; done += 10) {
    if (random() < 0.3) pick(MOODS)(pick(sellers), pick(COUNTRIES));
    if (random() < 0.2) calm(pick(sellers));
    if (random() < 0.02) {
      // Replace one node; what it has counted is settled when it closes.
      const gone = nodes.pop() as Edge;
      await gone.close();
      nodes.push(await world.another());
    }
    await Promise.all(
      Array.from({ length: 10 }, () => {
        const parts = `-country-${pick(COUNTRIES)}${random() < 0.5 ? `-session-${Math.floor(random() * 40)}-sessionttl-60` : ''}`;
        return visit(
          `${plan.username}${parts}`,
          pick(['shop.example', 'bank.example', 'nas.local', '10.0.0.7']),
          Math.floor(random() * 20_000),
        );
      }),
    );
  }
  for (const node of nodes) await node.plans.leases.flush();
  const billed = sellers.reduce((sum, { billedBytes }) => sum + billedBytes, 0);
  expect(billed).toBe(got);
  expect(plan.usedBytes).toBe(BigInt(got));
  const targets = new Set(sellers.flatMap(({ requests }) => requests.map(({ target }) => target)));
  expect([...targets].sort()).toEqual(['bank.example:443', 'shop.example:443']);
  for (const seller of sellers) calm(seller);
  // A new node has no history: every place works again.
  const fresh = await world.another();
  nodes.splice(0, nodes.length, fresh);
  for (const country of COUNTRIES) {
    const line = `${plan.username}-country-${country}`;
    const before = answers.get('200') ?? 0;
    await visit(line, 'bank.example', 10);
    expect(answers.get('200')).toBe(before + 1);
  }
  say(`${count} requests: ${[...answers].map(([status, times]) => `${status}: ${times}`).join(', ')}; ${got} bytes on both bills`);
});
