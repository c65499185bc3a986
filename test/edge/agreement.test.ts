// What nodes agree on through the platform: the exits of sticky sessions, and draining.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Edge } from '../../edge/edge.ts';
import { MINUTE } from '#platform/clock.ts';
import type { SessionClaim } from '../../edge/protocol/control-plane.ts';
import { claimStickySessions, forgetStickySessions } from '../../subgraphs/residential/leases/services/sticky-sessions.ts';
import { type ResidentialWorld, startResidential } from '../subgraphs/residential/world.ts';
import { PUBLIC, type Target, type World, connectHead, localExit, openClient, startEcho, startWorld } from './world.ts';
import { rowsOf } from '../kit/tables.ts';

let world: World;
let echo: Target;
beforeEach(async () => {
  world = await startWorld();
  echo = await startEcho();
  world.route('target.example', [PUBLIC], echo.endpoint);
});
afterEach(async () => {
  await echo.close();
  await world.close();
});

async function ask(edge: Edge, parts: string): Promise<string> {
  const client = await openClient(edge.ports[0] as number);
  client.write(connectHead(`target.example:${echo.endpoint.port}`, `user1${parts}`));
  const head = (await client.until('\r\n\r\n')).toString();
  client.socket.destroy();
  return head;
}
const exitsUsed = () => world.dialled.splice(0).map(({ exit }) => exit);

test('the first node that uses a session number chooses its exit; others follow, also those with more exits', async () => {
  world.ledger.plan();
  const other = await world.another({ exits: [11, 12, 13, 14, 15, 16, 17, 18].map((number) => localExit(number)) });
  for (let number = 0; number < 50; number++) {
    const line = `-country-de-session-${number}-sessionttl-30`;
    const [first, second] = number % 2 === 0 ? [other, world.edge] : [world.edge, other];
    expect(await ask(first, line)).toContain(' 200 ');
    const [exit] = exitsUsed();
    const answer = await ask(second, line);
    // This node does not have the exit: it reports that instead of moving the session.
    if (second.status().exits.some(({ id }) => id === exit)) {
      expect(answer).toContain(' 200 ');
      expect(exitsUsed()).toEqual([exit]);
    } else {
      expect(answer).toMatch(/^HTTP\/1\.1 503 [^]*exit_gone/);
      expect(exitsUsed()).toEqual([]);
    }
  }
});

test('another node gives a turn another exit too, and one that begins a session after its end', async () => {
  world.ledger.plan();
  const other = await world.another();
  for (let number = 0; number < 20; number++) {
    for (const [turn, node] of [world.edge, other, world.edge, other].entries())
      expect(await ask(node, `-session-${number}-turn-${turn}`)).toContain(' 200 ');
    const used = exitsUsed();
    used.forEach((exit, turn) => expect(exit).not.toBe(used[turn - 1]));
  }
  for (const session of world.ledger.sessions.values()) session.until = 0;
  const third = await world.another();
  for (let number = 0; number < 20; number++) {
    const ended = world.ledger.sessions.get(`plan_1/PREMIUM/any///${number}`)?.exitId;
    expect(await ask(third, `-session-${number}`)).toContain(' 200 ');
    expect(exitsUsed()).not.toEqual([ended]);
  }
});

test('connections of one new session that come together leave from one exit', async () => {
  world.ledger.plan();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(world.edge, '-country-de-session-7-sessionttl-30')));
  expect(answers.every((answer) => answer.includes(' 200 '))).toBe(true);
  expect(new Set(exitsUsed()).size).toBe(1);
  expect(world.ledger.sessions.size).toBe(1);
});

test('while the platform does not answer, hashing chooses the exit of a new session, the same on every node', async () => {
  world.ledger.plan();
  const other = await world.another();
  await ask(world.edge, '-country-de');
  await ask(other, '-country-de');
  exitsUsed();
  world.ledger.onClaim = () => {
    throw new Error('away');
  };
  for (let number = 0; number < 10; number++) {
    const line = `-country-de-session-${number}-sessionttl-30`;
    await ask(world.edge, line);
    await ask(other, line);
  }
  const used = exitsUsed();
  for (let index = 0; index < 20; index += 2) expect(used[index]).toBe(used[index + 1]);
});

test('a node that the platform drains takes no new connections, keeps those that are open, and comes back to its ports', async () => {
  world.ledger.plan();
  const open = await world.client();
  open.write(connectHead(`target.example:${echo.endpoint.port}`, 'user1-country-de'));
  open.skip((await open.until('\r\n\r\n')).length);
  world.ledger.draining = true;
  await world.edge.sendStatus();
  await expect(openClient(world.port)).rejects.toThrow('ECONNREFUSED');
  open.write('still here');
  expect(String(await open.until(10))).toBe('still here');
  world.ledger.draining = false;
  await world.edge.sendStatus();
  await expect.poll(() => ask(world.edge, '-country-de').catch(() => '')).toContain(' 200 ');
  expect(world.edge.ports).toEqual([world.port]);
});

test('a node tells what it does: connections, bytes, refusals and exits', async () => {
  world.ledger.plan();
  await ask(world.edge, '-country-de');
  await ask(world.edge, '-country-fr');
  await ask(world.edge, '-nonsense');
  await ask(world.edge, '-nonsense');
  await world.edge.sendStatus();
  const status = world.ledger.statuses.at(-1) ?? expect.unreachable();
  expect(status).toMatchObject({ endpoints: [`127.0.0.1:${world.port}`], plans: 1, staticLines: 0 });
  expect(status.refusals).toEqual({ exit_unavailable: 1, proxy_username_invalid: 2 });
  const [used] = exitsUsed();
  expect(status.exits.map(({ id, healthy, opened }) => [id, healthy, opened]).toSorted()).toEqual(
    ['exit-11', 'exit-12', 'exit-13'].map((id) => [id, true, id === used ? 1 : 0]),
  );
});

test('in the database the first claim of a session wins, a lost exit is left together, and a session that is over begins anew', async () => {
  const residential: ResidentialWorld = await startResidential();
  const { clock, context } = residential;
  const claim = (key: string, exitId: string, more: Partial<SessionClaim> = {}): SessionClaim => ({
    key,
    exitId,
    life: 0,
    lifetimeMs: 30 * MINUTE,
    ...more,
  });
  const [first] = await claimStickySessions(context(), [claim('a', 'exit-1'), claim('b', 'exit-9')]);
  expect(first).toEqual({ exitId: 'exit-1', life: 0, leftMs: 30 * MINUTE });
  clock.advance(10 * MINUTE);
  expect(await claimStickySessions(context(), [claim('b', 'exit-2'), claim('a', 'exit-2')])).toEqual([
    { exitId: 'exit-9', life: 0, leftMs: 20 * MINUTE },
    { exitId: 'exit-1', life: 0, leftMs: 20 * MINUTE },
  ]);
  // Two nodes find the exit gone: the second one follows the first.
  expect(await claimStickySessions(context(), [claim('a', 'exit-3', { lost: 'exit-1', life: 1 })])).toMatchObject([
    { exitId: 'exit-3', leftMs: 20 * MINUTE },
  ]);
  expect(await claimStickySessions(context(), [claim('a', 'exit-4', { lost: 'exit-1', life: 1 })])).toMatchObject([{ exitId: 'exit-3' }]);
  clock.advance(21 * MINUTE);
  expect(await claimStickySessions(context(), [claim('a', 'exit-5')])).toEqual([{ exitId: 'exit-5', life: 2, leftMs: 30 * MINUTE }]);
  // A session after the end of another, or a turn after another, takes the spare exit where the node proposes the same one again.
  expect(await claimStickySessions(context(), [claim('f', 'exit-1', { spareId: 'exit-2' })])).toMatchObject([{ exitId: 'exit-1' }]);
  expect(await claimStickySessions(context(), [claim('f~1', 'exit-1', { spareId: 'exit-2', after: 'f' })])).toMatchObject([
    { exitId: 'exit-2', life: 0 },
  ]);
  expect(await claimStickySessions(context(), [claim('f~2', 'exit-1', { spareId: 'exit-3', after: 'f~1' })])).toMatchObject([
    { exitId: 'exit-1' },
  ]);
  clock.advance(31 * MINUTE);
  expect(await claimStickySessions(context(), [claim('f', 'exit-1', { spareId: 'exit-4' }), claim('f~1', 'exit-1')])).toMatchObject([
    { exitId: 'exit-4', life: 1 },
    { exitId: 'exit-1', life: 1 },
  ]);
  const racing = await Promise.all(
    Array.from({ length: 20 }, (_, node) =>
      claimStickySessions(
        context(),
        ['c', 'd', 'e'].map((key) => claim(key, `exit-${node}`)).toSorted(() => (node % 2 ? 1 : -1)),
      ),
    ),
  );
  expect(new Set(racing.flat().map(({ exitId }) => exitId)).size).toBeLessThanOrEqual(3);
  clock.advance(48 * 60 * MINUTE);
  await forgetStickySessions(context());
  expect(await rowsOf(residential.query, 'residential.sticky_session')).toEqual([]);
  await residential.close();
});
