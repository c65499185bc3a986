// Another address for a live sticky session under the same line: by the node alone, and through the platform.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import type { Edge } from '../../edge/edge.ts';
import { keyOf, sessionOf } from '../kit/platform.ts';
import { codesOf } from '../subgraphs/residential/world.ts';
import type { MemoryPlan } from './memory-ledger.ts';
import { type OwnEdgeWorld, startOwnEdgeWorld } from './own-edge-world.ts';
import { type Client, PUBLIC, type Target, type World, basic, connectHead, localExit, openClient, startEcho, startWorld } from './world.ts';

describe('nodes', () => {
  let world: World;
  let echo: Target;
  let plan: MemoryPlan;
  let other: Edge;
  beforeEach(async () => {
    world = await startWorld();
    echo = await startEcho();
    world.route('target.example', [PUBLIC], echo.endpoint);
    plan = world.ledger.plan();
    other = await world.another();
  });
  afterEach(async () => {
    await echo.close();
    await world.close();
  });

  const open = async (edge: Edge, parts: string): Promise<Client> => {
    const client = await openClient(edge.ports[0] as number);
    client.write(connectHead(`target.example:${echo.endpoint.port}`, `user1${parts}`));
    await client.until('established\r\n\r\n');
    client.skip();
    return client;
  };
  /** The exit of a new connection. */
  const exitOf = async (edge: Edge, parts: string): Promise<string | undefined> => {
    world.dialled.splice(0);
    (await open(edge, parts)).socket.destroy();
    return world.dialled[0]?.exit;
  };
  const keyAt = (session: string) => `plan_1/PREMIUM/de///${session}`;

  test('its next connections leave by another exit, the same on every node; what is open goes on, and other sessions stay', async () => {
    const [line, neighbour] = ['-country-de-session-7', '-country-de-session-8'];
    const running = await open(world.edge, line);
    const before = [await exitOf(world.edge, line), await exitOf(other, line), await exitOf(world.edge, neighbour)];
    expect(before[1]).toBe(before[0]);
    world.ledger.renewSession(plan, keyAt('7'));
    const after = [await exitOf(other, line), await exitOf(world.edge, line), await exitOf(world.edge, neighbour)];
    expect(after[0]).not.toBe(before[0]);
    expect(after[1]).toBe(after[0]);
    expect(after[2]).toBe(before[2]);
    running.write('still here');
    await running.until('still here');
    // Once more, begun at the other node.
    world.ledger.renewSession(plan, keyAt('7'));
    const third = await exitOf(world.edge, line);
    expect(third).not.toBe(after[0]);
    expect(await exitOf(other, line)).toBe(third);
  });

  test('fifty sessions each get another exit, and many connections that come at once agree', async () => {
    for (let number = 0; number < 50; number++) {
      const line = `-country-de-session-${number}`;
      const before = await exitOf(world.edge, line);
      world.ledger.renewSession(plan, keyAt(String(number)));
      world.dialled.splice(0);
      for (const client of await Promise.all(Array.from({ length: 5 }, () => open(world.edge, line)))) client.socket.destroy();
      const used = new Set(world.dialled.map(({ exit }) => exit));
      expect(used.size).toBe(1);
      expect(used.has(before as string)).toBe(false);
    }
  });

  test('a node that was cut off when it was asked for follows as soon as it hears of the platform', async () => {
    const line = '-country-de-session-7';
    const before = await exitOf(world.edge, line);
    world.ledger.cutOff();
    world.ledger.renewSession(plan, keyAt('7'));
    world.ledger.comeBack();
    expect(await exitOf(world.edge, line)).not.toBe(before);
  });

  test('a session keeps its end when another one of the plan was meant', async () => {
    const line = '-country-de-session-7-sessionttl-30';
    await exitOf(world.edge, line);
    const { until, life } = { ...(world.ledger.sessions.get(keyAt('7')) as { until: number; life: number }) };
    world.ledger.renewSession(plan, keyAt('8'));
    await exitOf(world.edge, line);
    expect(world.ledger.sessions.get(keyAt('7'))).toMatchObject({ until, life });
  });

  test('with a single exit it stays there, and goes on', async () => {
    const single = await world.another({ exits: [localExit(11)] });
    const line = '-country-de-session-9';
    const before = await exitOf(single, line);
    world.ledger.renewSession(plan, keyAt('9'));
    expect(await exitOf(single, line)).toBe(before);
  });
});

describe('an owner', () => {
  let own: OwnEdgeWorld;
  beforeAll(async () => {
    own = await startOwnEdgeWorld();
  });
  afterAll(() => own?.close());

  const RENEW =
    'mutation ($plan: ID!, $session: String!) { proxySessionRenew(planId: $plan, session: $session) { session renewed plan { id } } }';
  const renew = (viewer: object, session: string) => own.world.ask(viewer as never, RENEW, { plan: own.plan.id, session });
  /** The address that the target sees. */
  const addressOf = async (parts: string): Promise<string> => {
    const { hostname, port } = new URL(own.site.url);
    const client = await openClient(own.edge.ports[0] as number);
    const line = `Proxy-Authorization: ${basic(`${own.plan.username}${parts}`, own.password)}`;
    client.write(`GET ${own.site.url}/ HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${line}\r\nConnection: close\r\n\r\n`);
    const answer = String(await client.ended());
    return /You come from ([\d.]+)\./.exec(answer)?.[1] ?? answer;
  };

  test('asks by a session or a key, for all places and turns of the number; the line gets another address', async () => {
    const lines = ['-country-de-session-77', '-country-fr-session-77', '-country-de-session-77-turn-1', '-country-de-session-177'];
    const before = [];
    for (const line of lines) before.push(await addressOf(line));
    expect((await renew(sessionOf(own.plan.accountId), '77')).data).toEqual({
      proxySessionRenew: { session: '77', renewed: 3, plan: { id: own.plan.id } },
    });
    await expect.poll(() => addressOf(lines[0] as string), { timeout: 20_000 }).not.toBe(before[0]);
    expect(await addressOf(lines[2] as string)).not.toBe(before[2]);
    expect(await addressOf(lines[3] as string)).toBe(before[3]);
    expect((await renew(keyOf(own.plan.accountId), '177')).data).toMatchObject({ proxySessionRenew: { renewed: 1 } });
  });

  test('is told when no such session is alive, and of nobody else’s', async () => {
    for (const session of ['4711', '%', "77' or true", '']) {
      const { data } = await renew(sessionOf(own.plan.accountId), session);
      expect(data).toMatchObject({ proxySessionRenew: { renewed: 0 } });
    }
    await addressOf('-country-de-session-5-sessionttl-5');
    own.world.clock.advance(5 * MINUTE);
    expect((await renew(sessionOf(own.plan.accountId), '5')).data).toMatchObject({ proxySessionRenew: { renewed: 0 } });
    await addressOf('-country-de-session-6');
    expect(codesOf(await renew(sessionOf('acct_2'), '6'))).toEqual(['plan_not_found']);
    expect(codesOf(await renew(keyOf(own.plan.accountId, ['read']), '6'))).toEqual(['forbidden']);
  });
});
