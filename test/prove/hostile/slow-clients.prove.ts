// Slow clients of each kind on every port at once: other customers notice nothing, and each slow client is disconnected.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePorts } from '../../kit/ports.ts';
import { type StackWorld, startStackWorld } from '../../rest-adapter/stack-world.ts';
import { call } from '../../rest-adapter/world.ts';
import { SCALE, say, scaled } from '../scale.ts';
import { type Errand, keepDoing, toText } from './good-customer.ts';
import { SLOW_KINDS, startSlowClient } from './slow-client.ts';

/** Per kind, spread over as many addresses. */
const CLIENTS = scaled(300, 20);
const ADDRESSES = 20;
/** A request must arrive within 15 s, checked each second. One that does not read is cut after 15 to 30 s without progress: too long for the short form. */
const HELD_MS = SCALE < 1 ? 18_000 : 60_000;
const KINDS = SCALE < 1 ? SLOW_KINDS.filter(({ readsBytes }) => readsBytes === undefined) : SLOW_KINDS;

let world: StackWorld;
let key: string;
let ports: Record<'public' | 'http' | 'socks5', number>;
beforeAll(async () => {
  const first = await freePorts(2);
  world = await startStackWorld({ EDGE: 'true', PROXY_HTTP_PORT: String(first), PROXY_SOCKS5_PORT: String(first + 1) });
  key = await world.key();
  ports = { public: Number(new URL(world.url).port), http: first, socks5: first + 1 };
});
afterAll(() => world.close());

test('slow clients of each kind are shown out, and nobody waits because of them', async () => {
  const errand: Errand = async () => {
    const { status } = await call(world, `/v1/residential/${world.plans.premium}/usage`, key);
    return status === 200 ? undefined : `answered ${status}`;
  };
  const quiet = await keepDoing(errand, 20, () => false, 20);
  say(`alone: ${toText(quiet)}`);
  const clients = KINDS.flatMap((kind, place) =>
    Array.from({ length: CLIENTS }, (_, index) =>
      startSlowClient(kind, ports[kind.port], `127.0.${40 + place}.${1 + (index % ADDRESSES)}`),
    ),
  );
  let over = false;
  const held = pause(HELD_MS).then(() => (over = true));
  // The limit of a key allows no more.
  const beside = await keepDoing(errand, 1_000, () => over);
  await held;
  say(`beside ${clients.length} slow clients for ${HELD_MS / 1_000} s: ${toText(beside)}`);
  expect(Object.fromEntries(beside.faults)).toEqual({});
  // In the short form another proof runs at the same time.
  if (SCALE >= 1) expect(beside.p99).toBeLessThan(1_000);
  for (let round = 0; round < 3; round++) {
    for (const client of clients) if (!client.ended) client.probe();
    await pause(200);
  }
  const left = KINDS.map((kind) => ({
    kind: `${kind.port}: ${kind.name}`,
    left: clients.filter((client) => client.kind === kind && !client.ended).length,
  }));
  for (const client of clients) client.close();
  say(left.map(({ kind, left }) => `${kind} ${left}`).join(', '));
  expect(left.filter(({ left }) => left > 0)).toEqual([]);
});
