// From an empty platform to the first sale of a seller's exits: the credentials of one gateway, a plan, a sticky line, and bytes that agree on the
// customer's meter and the seller's bill. The steps are those of an operator; the seller is the sandbox's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAs } from '../kit/dashboard.ts';
import { freePorts } from '../kit/ports.ts';
import { buyPackage } from '../kit/purchase.ts';
import { type Stack, startStack } from '../kit/stack.ts';
import { type SandboxGateway, startSandboxGateway } from '../../sandbox/gateways/gateway.ts';
import { staffCookie } from '../browser/filled-account.ts';
import { type Target, openClient, startHttpTarget, startTarget } from './world.ts';

let stack: Stack;
let seller: SandboxGateway;
let shop: Target;
let page: Awaited<ReturnType<typeof startHttpTarget>>;
let port: number;
beforeAll(async () => {
  port = await freePorts(2);
  const ports = { PROXY_HTTP_PORT: String(port), PROXY_SOCKS5_PORT: String(port + 1) };
  stack = await startStack({ environment: { EDGE: 'true', ...ports, LINE_TEST_URL: 'http://ip.example/' } });
  shop = await startTarget((socket) => {
    // Answers with the visitor's address and as many bytes as were asked for.
    socket.once('data', (bytes) => {
      const wanted = Number(/^GIVE (\d+)/.exec(bytes.toString())?.[1] ?? 0);
      socket.end(Buffer.concat([Buffer.from(`${socket.remoteAddress}\n`.padEnd(20)), Buffer.alloc(wanted, 1)]));
    });
  });
  page = await startHttpTarget(() => {
    const address = page.sockets.at(-1)?.remoteAddress ?? '';
    const body = JSON.stringify({ ip: address, country: seller.countryOf(address)?.toUpperCase() });
    return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  });
  const names: Record<string, Target> = { 'shop.example': shop, 'ip.example': page };
  seller = await startSandboxGateway({ grammar: 'customer', lookUp: (name) => names[name]?.endpoint });
});
afterAll(async () => {
  await stack?.close();
  await seller?.close();
  await shop?.close();
  await page?.close();
});

const SET = `mutation ($input: SupportGatewayInput!) { supportGatewaySet(input: $input) { id state username costPerGb { amountMinor } } }`;
const READ = `{ supportGateway(id: "wholesale") { state trouble monthBytes opened places { place opened } monthCost { amountMinor }
  bills { countedBytes billedBytes differencePercent } } }`;

/** The status, the address that the shop saw, and the number of bytes. */
async function fetchBy([host = '', at = '', username = '', password = '']: string[], bytes: number) {
  const client = await openClient(Number(at), host);
  const login = Buffer.from(`${username}:${password}`).toString('base64');
  client.write(`CONNECT shop.example:443 HTTP/1.1\r\nHost: shop.example:443\r\nProxy-Authorization: Basic ${login}\r\n\r\n`);
  const head = (await client.until('\r\n\r\n')).toString();
  if (!head.startsWith('HTTP/1.1 200')) return { status: head.slice(9, 12), from: '', bytes: 0 };
  client.skip(head.indexOf('\r\n\r\n') + 4);
  const request = `GIVE ${bytes}\n`;
  client.write(request);
  const body = await client.ended();
  client.socket.destroy();
  return { status: '200', from: body.toString('latin1', 0, 20).trim(), bytes: body.length + request.length };
}

test('one gateway’s credentials become a sale, a sticky line, and bytes that agree on both bills', async () => {
  const desk = askAs(stack.url, (({ name, value }) => `${name}=${value}`)(await staffCookie(stack)));
  const { supportGatewayPresets } = await desk<{ supportGatewayPresets: { id: string; username: string }[] }>(
    '{ supportGatewayPresets { id username } }',
  );
  const preset = supportGatewayPresets.find(({ id }) => id === 'customer');
  const input = {
    id: 'wholesale',
    products: ['PREMIUM'],
    host: seller.endpoint.address,
    port: seller.endpoint.port,
    username: preset?.username.replace('ACCOUNT', 'acme') ?? '',
    password: 'wrong at first',
    maxSessionMinutes: 1_440,
    costPerGbMinor: 200,
    monthlyCapMinor: 1_000,
  };
  await expect(desk(SET, { input: { ...input, username: 'customer-{land}' } })).rejects.toThrow('{land}');
  expect(await desk(SET, { input })).toMatchObject({ supportGatewaySet: { state: 'UNSEEN', costPerGb: { amountMinor: 200 } } });

  const buyer = await stack.seed.account();
  const customer = askAs(stack.url, await buyer.cookie());
  const { planId, status } = await buyPackage(stack, buyer);
  expect(status).toBe('FULFILLED');
  const { residentialProxies } = await customer<{ residentialProxies: { text: string } }>(
    `query ($id: ID!, $input: ProxyGenerateInput!) { residentialProxies(planId: $id, input: $input) { text } }`,
    { id: planId, input: { targeting: { pool: 'Germany' }, session: 'STICKY', sessionMinutes: 60, protocol: 'HTTP', quantity: 2 } },
  );
  const [line = [], second = []] = residentialProxies.text.split('\n').map((text) => text.split(':'));

  // The node uses the gateway, and reports faults of it.
  const edge = stack.edge ?? expect.unreachable();
  const until = (holds: () => Promise<boolean> | boolean) => expect.poll(holds, { interval: 10, timeout: 20_000 }).toBe(true);
  await until(() => edge.figures().exits === 1);
  expect((await fetchBy(line, 10)).status).toBe('502');
  await edge.sendStatus();
  expect((await desk<{ supportGateway: object }>(READ)).supportGateway).toMatchObject({
    state: 'REFUSED',
    trouble: expect.stringContaining('407'),
  });

  await desk(SET, { input: { ...input, password: 'c-secret' } });
  await until(() => edge.figures().healthyExits === 1);
  const first = await fetchBy(line, 1_000_000);
  expect(first).toMatchObject({ status: '200', bytes: 1_000_020 + 'GIVE 1000000\n'.length });
  const again = await fetchBy(line, 2_000_000);
  const other = await fetchBy(second, 500_000);
  expect(again.from).toBe(first.from);
  expect(other.from).not.toBe(first.from);
  expect(seller.countryOf(first.from)).toBe('de');
  expect(seller.requests.filter(({ status: answer }) => answer === 200).map(({ target }) => target)).toEqual(
    Array(3).fill('shop.example:443'),
  );

  const carried = first.bytes + again.bytes + other.bytes;
  expect(seller.billedBytes).toBe(carried);
  await edge.plans.leases.flush();
  await edge.sendStatus();
  const usage = async () => {
    const read = `{ residentialPlan(id: "${planId}") { usage { usedBytes } } }`;
    return Number((await customer<{ residentialPlan: { usage: { usedBytes: string } } }>(read)).residentialPlan.usage.usedBytes);
  };
  await until(async () => (await usage()) === carried);
  const month = new Date(stack.clock.now()).toISOString().slice(0, 10);
  await desk(
    `mutation ($bytes: Bytes!, $day: Date!) {
       supportGatewayNoteBill(id: "wholesale", firstDay: $day, lastDay: $day, billedBytes: $bytes, amountMinor: 1) { id } }`,
    { bytes: String(seller.billedBytes), day: month },
  );
  expect((await desk<{ supportGateway: object }>(READ)).supportGateway).toMatchObject({
    state: 'CARRYING',
    trouble: null,
    monthBytes: String(carried),
    places: [{ place: 'de//', opened: 3 }],
    monthCost: { amountMinor: 1 },
    bills: [{ countedBytes: String(carried), billedBytes: String(carried), differencePercent: 0 }],
  });

  // When the monthly cap is reached, the nodes stop using the gateway until the cap is raised.
  await desk(SET, { input: { ...input, password: null, monthlyCapMinor: 1 } });
  await until(() => edge.figures().exits !== 1);
  expect((await desk<{ supportGateway: object }>(READ)).supportGateway).toMatchObject({ state: 'OVER_CAP' });
  await desk(SET, { input: { ...input, password: null } });
  await until(() => edge.figures().exits === 1);
  expect((await fetchBy(line, 10)).status).toBe('200');

  // The customer tests the line by a real request, which leaves by the same address of the seller and is on its bill.
  const billed = seller.billedBytes;
  const { proxyLineTest } = await customer<{ proxyLineTest: { upBytes: string; downBytes: string; connectMs: number } }>(
    `mutation ($line: String!) { proxyLineTest(line: $line) {
       works connectMs exit { address country } placeSource upBytes downBytes fault { code } } }`,
    { line: line.join(':') },
  );
  expect(proxyLineTest).toMatchObject({
    works: true,
    exit: { address: first.from, country: 'de' },
    placeSource: 'TARGET',
    fault: null,
  });
  expect(seller.billedBytes - billed).toBe(Number(proxyLineTest.upBytes) + Number(proxyLineTest.downBytes));
}, 120_000);
