// `npm run prove -- servers`: killed workers, storms of actions and console tickets, compared with the sandbox's inventory. Prints figures and the seed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { type Viewer, systemViewer } from '#platform/identity.ts';
import type { ComputeContext } from '../../../subgraphs/compute/providers.ts';
import type { Cluster } from '../../../subgraphs/compute/machines/providers/cluster-book.ts';
import { runOperation } from '../../../subgraphs/compute/provisioning/services/continue-operation.ts';
import { reconcileMachines } from '../../../subgraphs/compute/provisioning/services/reconcile.ts';
import { sessionOf } from '../../kit/platform.ts';
import { SEED, say, scaled } from '../scale.ts';
import { FAULTS, type Ground, startGround } from './ground.ts';

let ground: Ground;
const pick = <Value>(values: readonly Value[]): Value => values[ground.random.below(values.length)] as Value;
beforeAll(async () => {
  ground = await startGround(SEED);
  say(`seed ${SEED}`);
});
afterAll(() => ground.world.close());

class Killed extends Error {}

/** A worker that dies after this many answers of the hypervisor, before it can store anything. */
function mortal(answers: number): ComputeContext {
  const ctx = ground.world.context();
  const { datacenter } = ctx.providers;
  if (!datacenter) throw new Error('there is no datacenter');
  let left = answers;
  const dying = <Calls extends object>(calls: Calls): Calls =>
    new Proxy(calls, {
      get(target, name) {
        const call = target[name as keyof Calls] as (...given: unknown[]) => Promise<unknown>;
        return async (...given: unknown[]) => {
          const answer = await call.apply(target, given);
          if (left-- <= 0) throw new Killed();
          return answer;
        };
      },
    });
  const dyingIn = (cluster: Cluster): Cluster => ({ ...cluster, hypervisor: dying(cluster.hypervisor) });
  const clusters = {
    ...datacenter.clusters,
    all: async () => (await datacenter.clusters.all()).map(dyingIn),
    of: async (node?: string | null) => dyingIn(await datacenter.clusters.of(node)),
  };
  const mortalParts = { ...datacenter, hypervisor: dying(datacenter.hypervisor), clusters };
  return { ...ctx, providers: { ...ctx.providers, datacenter: mortalParts } };
}

test('workers that are killed in the middle of builds: every order ends Active all the same', async () => {
  const { world, random, judge, clearAway } = ground;
  const wanted = scaled(200);
  let kills = 0;
  let orders = 0;
  while (kills < wanted) {
    const batch: string[] = [];
    for (let index = 0; index < 10; index++) batch.push(await world.order());
    orders += batch.length;
    for (let passed = 0; passed < 1_200; passed += 2) {
      const running = await world.query<{ id: string }>(`select id from compute.operation where status = 'RUNNING' order by id`);
      if (running.length === 0) break;
      for (const { id } of running) {
        // Few enough that builds still finish in time.
        const dies = kills < wanted && random.chance(0.06);
        await runOperation(dies ? mortal(random.below(4)) : world.context(), id).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
          kills++;
        });
      }
      world.clock.advance(2 * SECOND);
      await world.hypervisor.tick();
    }
    const { active } = await judge(batch);
    expect(active).toBe(batch.length);
    await clearAway();
  }
  say(`${kills} workers killed while ${orders} orders were built: all Active, 0 left over`);
});

test('storms of power actions from several sessions leave product and hypervisor in agreement', async () => {
  const { world, random, judge, clearAway } = ground;
  const owner = (session: number): Viewer => ({ ...sessionOf('acct_owner'), sessionId: `sess_${session}` }) as Viewer;
  const orders: string[] = [];
  for (let index = 0; index < 5; index++) orders.push(await world.order());
  await judge(orders);
  const ids = await Promise.all(orders.map(async (orderId) => (await world.server(orderId)).id));
  const MUTATIONS = ['vpsStart', 'vpsReboot', 'vpsStop', 'vpsForceStop', 'vpsResetPassword'];
  const wanted = scaled(1_000);
  let begun = 0;
  for (let asked = 0; asked < wanted;) {
    // Up to four sessions act at the same time on the same servers.
    const pressed = Array.from({ length: Math.min(4, wanted - asked) }, (_, session) =>
      world.ask(owner(session), `mutation { ${pick(MUTATIONS)}(id: "${pick(ids)}") { id } }`),
    );
    for (const { errors } of await Promise.all(pressed)) {
      if (!errors) begun++;
      else expect(errors[0]?.extensions['code']).toBe('action_not_allowed');
    }
    asked += pressed.length;
    if (random.chance(0.05))
      world.hypervisor.faults.next.push({
        fault: pick(FAULTS),
        on: pick(['start', 'stop', 'shutdown', 'reboot', 'current', 'password'] as const),
      });
    await world.run(2 * random.below(20));
  }
  await world.run(7_200);
  await reconcileMachines(world.context());
  for (const id of ids) {
    const [row] = await world.query<{ power_state: string }>('select power_state from compute.server where id = $1', [id]);
    expect(row?.power_state).toBe(world.hypervisor.machine(id.replace('_', '-')).running ? 'RUNNING' : 'STOPPED');
  }
  say(`${wanted} actions asked of ${ids.length} servers, ${begun} begun, the others refused with a reason: both sides agree`);
  await clearAway();
});

test('console tickets: used, expired, of another session, of another server: every one is refused', async () => {
  const { world, judge, clearAway } = ground;
  const session = sessionOf('acct_owner') as Viewer & { kind: 'session' };
  const orders = [await world.order(), await world.order()];
  await judge(orders);
  const [own = '', other = ''] = await Promise.all(orders.map(async (orderId) => (await world.server(orderId)).id));
  const ticketOf = async (): Promise<string> => {
    const { data } = await world.ask(session, `mutation { vpsOpenConsole(id: "${own}", kind: TEXT) { path } }`);
    return (data as { vpsOpenConsole: { path: string } }).vpsOpenConsole.path.split('ticket=')[1] ?? '';
  };
  const redeem = async (serverId: string, ticket: string, sessionId: string): Promise<string> => {
    const { errors } = await world.ask(
      systemViewer('console', 'req_proof'),
      'mutation ($serverId: ID!, $ticket: String!, $sessionId: String!) { consoleRedeem(serverId: $serverId, ticket: $ticket, sessionId: $sessionId) { kind } }',
      { serverId, ticket, sessionId },
    );
    return errors ? String(errors[0]?.extensions['code']) : 'opened';
  };
  const REFUSED: Record<string, (ticket: string) => Promise<string>> = {
    'another session': (ticket) => redeem(own, ticket, 'sess_other'),
    'another server': (ticket) => redeem(other, ticket, session.sessionId),
    async expiry(ticket) {
      world.clock.advance(MINUTE);
      return redeem(own, ticket, session.sessionId);
    },
    async reuse(ticket) {
      expect(await redeem(own, ticket, session.sessionId)).toBe('opened');
      return redeem(own, ticket, session.sessionId);
    },
    async 'two at once'(ticket) {
      const both = await Promise.all([redeem(own, ticket, session.sessionId), redeem(own, ticket, session.sessionId)]);
      expect(both.filter((answer) => answer === 'opened')).toHaveLength(1);
      return both.find((answer) => answer !== 'opened') ?? '';
    },
  };
  const each = scaled(200);
  for (const [name, attempt] of Object.entries(REFUSED))
    for (let time = 0; time < each; time++) expect(`${name}: ${await attempt(await ticketOf())}`).toBe(`${name}: console_ticket_invalid`);
  say(`${each} tickets in each of ${Object.keys(REFUSED).length} wrong ways: all refused`);
  await clearAway();
});
