// How well a place is served: what a node counts of connections and first bytes, and what the platform makes of the reports of all nodes.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import { DialError, createDialler } from '../../edge/dial.ts';
import type { EdgeOptions } from '../../edge/edge-options.ts';
import { refusalOf } from '../../edge/parent-answer.ts';
import { PlaceQualities } from '../../edge/place-quality.ts';
import { createSourcePorts } from '../../edge/source-ports.ts';
import { asOne } from '../../edge/worker-sums.ts';
import { STATUS_MESSAGE } from '../../edge/protocol/messages.ts';
import { FIRST_BYTE_BOUNDS_MS, MAX_STATUS_PLACE_QUALITIES, boundOf, medianOf, newCounts } from '../../edge/protocol/place-quality.ts';
import { type Client, PUBLIC, type Target, type World, connectHead, localExit, proxyLine, startTarget, startWorld } from './world.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
/** A node's clock, which only the test moves. */
let now = 0;
let world: World;
let target: Target;
const start = async (options: Partial<EdgeOptions> = {}) => {
  world = await startWorld({ monotonic: () => now, limits: { feedSilenceMs: 3_600_000 }, ...options });
  world.route('shop.example', [PUBLIC], target.endpoint);
};
beforeEach(async () => {
  now = 1_000_000;
  // It takes 120 ms for each answer.
  target = await startTarget((socket) => {
    socket.on('data', () => {
      now += 120;
      socket.write(OK);
    });
    socket.on('end', () => socket.end());
  });
});
afterEach(async () => {
  await world.close();
  await target.close();
});

const authority = () => `shop.example:${target.endpoint.port}`;
async function tunnel(username: string, to = authority()): Promise<Client> {
  const client = await world.client();
  client.write(connectHead(to, username));
  return client;
}
const qualities = () => world.edge.status().qualities ?? [];
/** The counts with one in the bound of this time. */
const once = (milliseconds: number, times = 1) => newCounts().map((_zero, index) => (index === boundOf(milliseconds) ? times : 0));

describe('a node', () => {
  test('counts what it opens by product, the country of the exit, and the state and city that the line asks for', async () => {
    await start({ exits: [localExit(11, { state: 'bavaria', city: 'munich' }), localExit(12, { country: 'fr' })] });
    const { username } = world.ledger.plan();
    for (const line of ['-country-de', '-country-de-state-bavaria-city-munich', '-country-fr', '-country-any-session-1']) {
      const client = await tunnel(`${username}${line}`);
      await client.until('\r\n\r\n');
    }
    const places = qualities().map(({ product, country, state, city }) => [product, country, state, city]);
    expect(places).toHaveLength(3);
    expect(places).toEqual(
      expect.arrayContaining([
        ['PREMIUM', 'de', undefined, undefined],
        ['PREMIUM', 'de', 'bavaria', 'munich'],
        ['PREMIUM', 'fr', undefined, undefined],
      ]),
    );
    expect(qualities().reduce((sum, { opened, failed }) => sum + opened + failed, 0)).toBe(4);
  });

  test('measures the first byte from the first that was sent, after the time to open, and not the time that a customer takes', async () => {
    const direct = createDialler(createSourcePorts());
    await start({
      dial(exit, _to, timeoutMs, line) {
        now += 70;
        return direct(exit, target.endpoint, timeoutMs, line);
      },
    });
    const { username } = world.ledger.plan();
    const client = await tunnel(`${username}-country-de`);
    await client.until('\r\n\r\n');
    expect(qualities()[0]?.firstBytes).toEqual(newCounts());
    now += 5_000;
    client.skip();
    client.write('x');
    await client.until('hello');
    expect(qualities()).toMatchObject([{ opened: 1, firstBytes: once(190) }]);
    client.skip();
    client.write('x');
    await client.until('hello');
    expect(qualities()).toMatchObject([{ opened: 1, firstBytes: once(190) }]);
  });

  test('does not measure a target that has spoken before anything was sent, as through a parent', async () => {
    const direct = createDialler(createSourcePorts());
    await start({
      dial: async (exit, _to, timeoutMs) => ({ ...(await direct(exit, target.endpoint, timeoutMs)), early: Buffer.from(OK) }),
    });
    const { username } = world.ledger.plan();
    const client = await tunnel(`${username}-country-de`);
    await client.until('hello');
    client.skip();
    client.write('x');
    await client.until('hello');
    const plain = await world.client();
    plain.write(`GET http://${authority()}/ HTTP/1.1\r\n${proxyLine(`${username}-country-de`)}\r\n`);
    await plain.until('hello');
    expect(qualities()).toMatchObject([{ opened: 2, firstBytes: newCounts() }]);
  });

  test('counts a plain request as a tunnel, and one on a kept connection not again', async () => {
    await start();
    const { username } = world.ledger.plan();
    const client = await world.client();
    for (let count = 0; count < 3; count++) {
      client.write(`GET http://${authority()}/ HTTP/1.1\r\n${proxyLine(`${username}-country-de-session-1`)}\r\n`);
      await client.until('hello');
      client.skip();
    }
    expect(target.sockets).toHaveLength(1);
    expect(qualities()).toMatchObject([{ opened: 1, failed: 0, firstBytes: once(120) }]);
  });

  test('counts a failure by the fault of exits once, however many were tried, and what is the fault of a target never', async () => {
    let trouble: 'exit' | 'target' | 'policy' = 'exit';
    await start({ dial: () => Promise.reject(new DialError(refusalOf(trouble, 'as the test wants it'))) });
    const { username } = world.ledger.plan();
    const fails = async (line: string, to?: string) => {
      const client = await tunnel(`${username}${line}`, to);
      return /^X-Proxy-Error: (\w+)/m.exec((await client.ended()).toString())?.[1];
    };
    expect(await fails('-country-de')).toBe('exit_failed');
    expect(qualities()).toMatchObject([{ country: 'de', opened: 0, failed: 1 }]);
    trouble = 'target';
    expect(await fails('-country-de')).toBe('target_refused');
    expect(await fails('-country-de', 'nowhere.example:80')).toBe('target_name_unknown');
    expect(await fails('-country-de', '10.0.0.1:80')).toBe('target_address_forbidden');
    trouble = 'policy';
    expect(await fails('-country-de')).toBe('target_blocked');
    expect(await fails('-country-zz')).toBe('proxy_username_invalid');
    expect(qualities()).toMatchObject([{ country: 'de', opened: 0, failed: 1 }]);
  });

  test('forgets after an hour, bit by bit, and reports the places with the most connections', async () => {
    await start();
    const counting = new PlaceQualities(() => now);
    const open = (country: string) => counting.opened('PREMIUM', { country }, now);
    open('de').passed(true);
    now += 30 * MINUTE;
    open('de');
    expect(counting.report()).toMatchObject([{ opened: 2 }]);
    now += 31 * MINUTE;
    expect(counting.report()).toMatchObject([{ opened: 1 }]);
    now += 30 * MINUTE;
    expect(counting.report()).toEqual([]);
    for (let index = 0; index < 150; index++) for (let times = 0; times <= index; times++) open(`p${index}`);
    const report = counting.report();
    expect([report.length, report[0]?.country, report.at(-1)?.country]).toEqual([MAX_STATUS_PLACE_QUALITIES, 'p149', 'p50']);
  });

  test('whose workers report apart reports as one, in a form that the platform takes', async () => {
    await start();
    const quality = { product: 'PREMIUM', country: 'de', opened: 3, failed: 1, firstBytes: once(120, 3) } as const;
    const status = { ...world.edge.status(), qualities: [quality] };
    const sums = asOne([status, status, { ...status, qualities: undefined }]);
    expect(sums.qualities).toEqual([{ ...quality, opened: 6, failed: 2, firstBytes: once(120, 6) }]);
    expect(STATUS_MESSAGE.parse(JSON.parse(JSON.stringify(sums))).qualities).toEqual(sums.qualities);
    // A node whose bounds are others is taken, without what cannot be read.
    const other = STATUS_MESSAGE.parse(JSON.parse(JSON.stringify({ ...sums, qualities: [{ ...quality, firstBytes: [1] }] })));
    expect(other.qualities).toBeUndefined();
  });
});

test('the median lies within its bounds', async () => {
  await start();
  expect(medianOf(newCounts())).toBeUndefined();
  expect(medianOf(once(120))).toBe(125);
  expect(medianOf(newCounts().map((_zero, index) => (index === boundOf(10) ? 1 : index === boundOf(90) ? 3 : 0)))).toBeCloseTo(66.7, 1);
  expect(medianOf(once(60_000, 5))).toBe(FIRST_BYTE_BOUNDS_MS.at(-1));
});
