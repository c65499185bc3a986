import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createDialler } from '../../edge/dial.ts';
import type { EdgeOptions } from '../../edge/edge-options.ts';
import { readExits } from '../../edge/exits-file.ts';
import type { GatewayDefinition } from '../../edge/protocol/gateway.ts';
import { GATEWAY_PRESETS } from '../../edge/protocol/gateway-presets.ts';
import { GRAMMARS, type GrammarName } from '../../sandbox/gateways/grammars.ts';
import { type SandboxGateway, type SandboxGatewayOptions, startSandboxGateway } from '../../sandbox/gateways/gateway.ts';
import { PRODUCTS, type Target, type World, connectHead, localExit, startTarget, startWorld } from './world.ts';

let world: World | undefined;
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await world?.close();
  world = undefined;
  for (const each of opened.splice(0)) await each.close();
});

/** A site that answers with the visitor's address. */
async function startSite(): Promise<Target> {
  const site = await startTarget((socket) => socket.end(`${socket.remoteAddress}\n`));
  opened.push(site);
  return site;
}

async function startSeller(site: Target, options: Partial<SandboxGatewayOptions> = {}): Promise<SandboxGateway> {
  const lookUp: SandboxGatewayOptions['lookUp'] = (name) => (name.endsWith('.example') ? site.endpoint : undefined);
  const seller = await startSandboxGateway({ grammar: 'customer', lookUp, ...options });
  opened.push(seller);
  return seller;
}

/** The templates of this preset, with the account of the sandbox's seller filled in. */
function presetOf(grammar: GrammarName): { username: string; password: string } {
  const preset = GATEWAY_PRESETS.find(({ id }) => id === grammar);
  if (!preset) throw new Error(`no preset ${grammar}`);
  const { username, password } = GRAMMARS[grammar].account;
  const account = { zone: 'c1', customer: 'acme', duration: 'acme', password: username, package: '77', attributes: 'acme' }[grammar];
  return {
    username: preset.username.replace('ACCOUNT', account).replace('ZONE', 'resi'),
    password: preset.password.replace('PASSWORD', password),
  };
}

const gatewayAt = (
  seller: SandboxGateway,
  grammar: GrammarName = 'customer',
  more: Partial<GatewayDefinition> = {},
): GatewayDefinition => ({
  kind: 'gateway',
  id: `gw-${grammar}`,
  products: PRODUCTS,
  protocol: 'http',
  host: seller.endpoint.address,
  port: seller.endpoint.port,
  countries: '*',
  resolve: 'exit',
  ...presetOf(grammar),
  ...more,
});

const start = async (exits: EdgeOptions['exits'], more: Partial<EdgeOptions> = {}): Promise<World> => {
  world = await startWorld({ exits, dial: createDialler({ next: () => undefined }), ...more });
  return world;
};

/** The status of the line, and the address that the site saw. */
async function visit(line: string, host = 'shop.example', port = 443): Promise<{ status: string; from: string }> {
  const client = await (world as World).client();
  client.write(connectHead(`${host}:${port}`, line));
  const text = (await client.ended()).toString();
  return { status: text.slice(9, 12), from: text.split('\r\n\r\n')[1]?.trim() ?? '' };
}

test.each(Object.keys(GRAMMARS) as GrammarName[])(
  'a line reaches the exits of a seller with the grammar "%s", country, state, city and session',
  async (grammar) => {
    const seller = await startSeller(await startSite(), { grammar });
    const { ledger, resolved } = await start([gatewayAt(seller, grammar)]);
    const { username } = ledger.plan();
    expect((await visit(`${username}-country-us-state-new_york-city-new_york_city-session-7-sessionttl-60`)).status).toBe('200');
    expect((await visit(`${username}-country-de`)).status).toBe('200');
    expect((await visit(username)).status).toBe('200');
    expect(seller.requests.map(({ target }) => target)).toEqual(Array(3).fill('shop.example:443'));
    expect(resolved).toEqual([]);
    const [all, one, none] = seller.requests.map(({ asked }) => asked ?? {});
    expect(all?.country?.toLowerCase()).toBe('us');
    expect(all?.state).toMatch(/new.?york|ny/);
    expect(all?.city).toMatch(/new.?york.?city/);
    expect(all?.session).toMatch(/^[0-9a-z]{8,16}$/);
    if (all?.lifetime !== undefined) expect(all.lifetime).toBe(3_600);
    expect(one).toEqual({ country: expect.stringMatching(/^de$/i) });
    expect(none).toEqual({});
  },
);

describe('sticky and rotating', () => {
  test("a session keeps the seller's exit for its lifetime, by whatever node; another number and a rotating line have others", async () => {
    const seller = await startSeller(await startSite());
    const { ledger, another } = await start([gatewayAt(seller)]);
    const { username } = ledger.plan();
    const line = `${username}-country-fr-session-1-sessionttl-60`;
    const first = await visit(line);
    expect(first).toEqual({ status: '200', from: seller.requests[0]?.exit });
    for (let times = 0; times < 3; times++) expect((await visit(line)).from).toBe(first.from);
    const other = await another();
    const client = await (world as World).client(other.ports[0]);
    client.write(connectHead('shop.example:443', line));
    expect((await client.ended()).toString()).toContain(first.from);
    expect((await visit(`${username}-country-fr-session-2-sessionttl-60`)).from).not.toBe(first.from);
    const rotating = await Promise.all(Array.from({ length: 5 }, () => visit(`${username}-country-fr`)));
    expect(new Set(rotating.map(({ from }) => from)).size).toBe(5);
    // The seller learns neither the customer's name nor the session number.
    for (const { username: told } of seller.requests) expect(told).not.toContain(username);
  });

  test('a line that lives longer than the seller keeps sessions goes to another seller', async () => {
    const site = await startSite();
    const [short, long] = [await startSeller(site, { network: 91 }), await startSeller(site, { network: 92 })];
    const { ledger } = await start([
      gatewayAt(short, 'customer', { id: 'short', maxSessionMinutes: 30 }),
      gatewayAt(long, 'customer', { id: 'long' }),
    ]);
    const { username } = ledger.plan();
    for (let session = 0; session < 12; session++) await visit(`${username}-session-${session}-sessionttl-60`);
    expect(short.requests).toEqual([]);
    expect(long.requests).toHaveLength(12);
  });

  test('Europe is one of the countries that the seller has there, the same for all of a session', async () => {
    const seller = await startSeller(await startSite());
    const { ledger } = await start([gatewayAt(seller, 'customer', { countries: ['us', 'fr', 'de', 'es'] })]);
    const { username } = ledger.plan();
    for (let times = 0; times < 3; times++) await visit(`${username}-country-eu-session-9-sessionttl-60`);
    const told = new Set(seller.requests.map(({ asked }) => asked?.country));
    expect(told.size).toBe(1);
    expect(['FR', 'DE', 'ES']).toContain([...told][0]);
    expect((await visit(`${username}-country-jp`)).status).toBe('503');
  });

  test("a seller's own word for a place is what it is told, and what it does not sell is not asked of it", async () => {
    const seller = await startSeller(await startSite());
    const names = { country: { gb: 'uk', kp: null }, city: { 'de/munich': 'muenchen' } };
    const { ledger } = await start([gatewayAt(seller, 'customer', { names })]);
    const { username } = ledger.plan();
    await visit(`${username}-country-gb`);
    await visit(`${username}-country-de-city-munich`);
    expect((await visit(`${username}-country-kp`)).status).toBe('503');
    expect(seller.requests.map(({ asked }) => [asked?.country, asked?.city])).toEqual([
      ['UK', undefined],
      ['DE', 'muenchen'],
    ]);
  });
});

describe('what is passed on', () => {
  test.each(['localhost', '127.0.0.1', '10.1.2.3', '[::1]', 'printer', 'nas.local', 'db.internal', '10.0.0.1.nip.io', '2130706433'])(
    '%s is refused before the seller hears of it',
    async (host) => {
      const seller = await startSeller(await startSite());
      const { ledger } = await start([gatewayAt(seller)]);
      expect((await visit(ledger.plan().username, host)).status).toBe('403');
      expect(seller.requests).toEqual([]);
    },
  );

  test('a gateway that wants addresses gets one that was judged', async () => {
    const site = await startSite();
    const seller = await startSeller(site, { lookUp: () => site.endpoint });
    const { ledger, route } = await start([gatewayAt(seller, 'customer', { resolve: 'node' })]);
    route('shop.example', ['93.184.215.14'], site.endpoint);
    route('inside.example', ['93.184.215.14', '10.0.0.7'], site.endpoint);
    const { username } = ledger.plan();
    expect((await visit(username)).status).toBe('200');
    expect((await visit(username, 'inside.example')).status).toBe('403');
    expect(seller.requests.map(({ target }) => target)).toEqual(['93.184.215.14:443']);
  });

  test('SOCKS5 tells name and log-in as well', async () => {
    const seller = await startSeller(await startSite());
    const { ledger } = await start([gatewayAt(seller, 'customer', { protocol: 'socks5' })]);
    expect((await visit(`${ledger.plan().username}-country-fr`)).status).toBe('200');
    expect(seller.requests).toMatchObject([{ target: 'shop.example:443', asked: { country: 'FR' }, status: 200 }]);
    seller.moods.changedPassword = true;
    expect((await visit(ledger.plan().username)).status).toBe('502');
  });
});

describe('when the seller says no', () => {
  test('a target that it forbids is refused with a reason, harms nobody else, and another seller is asked where there is one', async () => {
    const site = await startSite();
    const seller = await startSeller(site);
    const { ledger, edge } = await start([gatewayAt(seller)]);
    const { username } = ledger.plan();
    seller.moods.forbidden.add('bank.example');
    for (let times = 0; times < 5; times++) expect((await visit(`${username}-country-fr`, 'bank.example')).status).toBe('403');
    expect((await visit(`${username}-country-fr`)).status).toBe('200');
    expect(edge.status().refusals).toEqual({ target_blocked: 5 });
    await world?.close();
    const tolerant = await startSeller(site, { network: 91 });
    const both = await start([gatewayAt(seller), gatewayAt(tolerant, 'customer', { id: 'tolerant' })]);
    const before = seller.requests.length;
    for (let times = 0; times < 8; times++) expect((await visit(both.ledger.plan().username, 'bank.example')).status).toBe('200');
    // It is asked once and then avoided for this target.
    expect(seller.requests.length - before).toBeLessThanOrEqual(1);
  });

  test.each([
    ['a changed password', { changedPassword: true }],
    ['an account without money', { unpaid: true }],
  ])('%s is the operator’s alarm: others carry on, the status says why', async (_, mood) => {
    const site = await startSite();
    const [seller, other] = [await startSeller(site, { network: 91 }), await startSeller(site, { network: 92 })];
    const { ledger, edge } = await start([gatewayAt(seller, 'customer', { id: 'first' }), gatewayAt(other, 'customer', { id: 'second' })]);
    Object.assign(seller.moods, mood);
    const { username } = ledger.plan();
    for (let times = 0; times < 8; times++) expect((await visit(username)).status).toBe('200');
    expect(seller.requests).toHaveLength(1);
    expect(edge.status().exits[0]).toMatchObject({ id: 'first', healthy: false, trouble: expect.stringContaining('407') });
  });

  test('a 429 makes the node wait, and is not a fault', async () => {
    const site = await startSite();
    const [seller, other] = [await startSeller(site, { network: 91 }), await startSeller(site, { network: 92 })];
    const { ledger, edge } = await start([gatewayAt(seller, 'customer', { id: 'first' }), gatewayAt(other, 'customer', { id: 'second' })]);
    seller.moods.busy = true;
    for (let times = 0; times < 8; times++) expect((await visit(ledger.plan().username)).status).toBe('200');
    expect(seller.requests).toHaveLength(1);
    expect(edge.status().exits.map(({ healthy, faults }) => [healthy, faults])).toEqual([
      [true, 0],
      [true, 0],
    ]);
  });

  test('no exit in one country takes out that country and no other', async () => {
    const seller = await startSeller(await startSite());
    const { ledger, edge } = await start([gatewayAt(seller)]);
    const { username } = ledger.plan();
    seller.moods.empty.add('jp');
    for (let times = 0; times < 6; times++) expect((await visit(`${username}-country-jp`)).status).toBe('503');
    expect(seller.requests).toHaveLength(3);
    expect((await visit(`${username}-country-fr`)).status).toBe('200');
    expect(edge.status().exits[0]).toMatchObject({
      healthy: true,
      places: [
        { place: 'jp//', opened: 0, faults: 3, out: true },
        { place: 'fr//', opened: 1, faults: 0, out: false },
      ],
    });
  });

  test('a country that is silently served from another is found out and left alone, where the operator has named a site to ask', async () => {
    const site = await startSite();
    let liar: SandboxGateway | undefined;
    const geo = await startTarget((socket) => {
      const country = liar?.countryOf(socket.remoteAddress ?? '') ?? '';
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n\r\n{"country":"${country.toUpperCase()}"}`));
    });
    opened.push(geo);
    liar = await startSeller(site, { lookUp: (name) => (name === 'geo.example' ? geo.endpoint : site.endpoint) });
    const check = { host: 'geo.example', port: 80, path: '/json', field: 'country' };
    const { ledger, edge } = await start([gatewayAt(liar, 'customer', { check })], { placeCheckMs: 10 });
    const { username } = ledger.plan();
    liar.moods.elsewhere['fr'] = 'de';
    expect((await visit(`${username}-country-fr`)).status).toBe('200');
    expect((await visit(`${username}-country-us`)).status).toBe('200');
    const misplaced = () => edge.status().exits[0]?.places?.map(({ place, misplaced: times }) => [place, times]);
    await expect.poll(misplaced, { interval: 5, timeout: 5_000 }).toEqual([
      ['fr//', 1],
      ['us//', 0],
    ]);
    expect((await visit(`${username}-country-fr`)).status).toBe('503');
    expect((await visit(`${username}-country-us`)).status).toBe('200');
  });

  test('a gateway that breaks off goes after three different targets, and never by one target alone', async () => {
    const site = await startSite();
    const seller = await startSeller(site);
    const { ledger, edge } = await start([gatewayAt(seller)]);
    const { username } = ledger.plan();
    seller.moods.broken = 'closes';
    for (let times = 0; times < 5; times++) expect((await visit(username)).status).toBe('502');
    expect(edge.figures().healthyExits).toBe(1);
    for (const host of ['a.example', 'b.example']) await visit(username, host);
    expect(edge.figures().healthyExits).toBe(0);
  });
});

describe('while it runs', () => {
  test('a file that changes is read again: what is added carries, what is gone does not, a wrong one changes nothing', async () => {
    const seller = await startSeller(await startSite());
    const file = join(mkdtempSync(join(tmpdir(), 'edge-exits-')), 'exits.json');
    const gateway = gatewayAt(seller);
    const write = (content: unknown) => writeFileSync(file, JSON.stringify(content));
    write([localExit(11, { country: 'us' })]);
    const { ledger, edge } = await start(readExits(file), { exitsFile: file, exitsLookMs: 10 });
    const { username } = ledger.plan();
    expect((await visit(`${username}-country-fr`)).status).toBe('503');
    const sees = async (exits: number) => {
      await expect.poll(() => edge.figures().exits, { interval: 5, timeout: 5_000 }).toBe(exits);
    };
    write([localExit(11, { country: 'us' }), gateway]);
    await sees(2);
    const { from } = await visit(`${username}-country-fr-session-5-sessionttl-60`);
    write([{ ...gateway, weight: 2 }]);
    await sees(1);
    expect((await visit(`${username}-country-fr-session-5-sessionttl-60`)).from).toBe(from);
    writeFileSync(file, '[{"kind":"gateway"');
    expect((await visit(`${username}-country-fr`)).status).toBe('200');
    write([localExit(11, { country: 'us' }), localExit(12, { country: 'us' })]);
    await sees(2);
    expect((await visit(`${username}-country-fr-session-5-sessionttl-60`)).status).toBe('503');
  });
});

test.each([
  [{ username: 'acme-{land}' }, /\{land\} is none of/],
  [{ username: 'acme[-cc-{country}' }, /does not close/],
  [{ username: 'acme-{country|shout}' }, /shout/],
  [{ countries: ['uk'] }, /lower-case ISO 3166/],
  [{ host: 'http://gw.example' }, /host name or an address/],
  [{ answers: { 200: 'policy' } }, /answers/],
])('a file with %j is refused with a sentence', (wrong, sentence) => {
  const file = join(mkdtempSync(join(tmpdir(), 'edge-exits-')), 'exits.json');
  const gateway = {
    kind: 'gateway',
    id: 'gw',
    products: ['PREMIUM'],
    host: 'gw.example',
    port: 7777,
    username: 'a',
    password: 'b',
    ...wrong,
  };
  writeFileSync(file, JSON.stringify([gateway]));
  expect(() => readExits(file)).toThrow(sentence);
});
