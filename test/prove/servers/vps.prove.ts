// `npm run prove -- servers`: what servers promise, at size, against the sandbox's own inventory. Each proof prints its figures and its seed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE, SECOND } from '#shared/clock.ts';
import { type Viewer, systemViewer } from '#shared/identity.ts';
import type { ComputeContext } from '../../../subgraphs/compute/builder.ts';
import type { Hypervisor } from '../../../subgraphs/compute/providers/hypervisor.ts';
import { runOperation } from '../../../subgraphs/compute/services/continue-operation.ts';
import { reconcileMachines } from '../../../subgraphs/compute/services/reconcile.ts';
import { settleEveryVps } from '../../../subgraphs/compute/services/settle-vps.ts';
import { type ComputeWorld, startCompute } from '../../compute/world.ts';
import { sessionOf } from '../../kit/platform.ts';
import { createDice } from '../../sandbox/dice.ts';
import type { EndpointName } from '../../sandbox/hypervisor/endpoints.ts';
import type { HypervisorFault } from '../../sandbox/hypervisor/faults.ts';

/** A fraction for a quick look: SCALE=0.02. */
const SCALE = Number(process.env['SCALE'] ?? 1);
const SEED = Number(process.env['SEED'] ?? 20_261);
const scaled = (count: number): number => Math.max(1, Math.round(count * SCALE));
const say = (text: string): void => console.log(`  ${text}`);

let world: ComputeWorld;
const dice = createDice(SEED);
const { below } = dice;
const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;

beforeAll(async () => {
  world = await startCompute({ last: '127.80.3.200' });
  say(`seed ${SEED}`);
});
afterAll(() => world.close());

async function bringUp(): Promise<void> {
  for (const node of ['fra1', 'fra2', 'fra3']) await world.hypervisor.up(node);
}

/** Everything is delivered or paid back, and the hypervisor has exactly what the product says. */
async function judge(orders: readonly string[]): Promise<{ active: number; refunded: number }> {
  await bringUp();
  expect(await world.run(7_200)).toBe(0);
  await reconcileMachines(world.context());
  await settleEveryVps(world.context());
  expect(await world.run(7_200)).toBe(0);
  const count = { active: 0, refunded: 0 };
  for (const orderId of orders) {
    const { id, status } = await world.server(orderId);
    const facts = await world.facts(id);
    if (status === 'ACTIVE') {
      expect(facts).toEqual(['compute_vps.created']);
      expect(world.hypervisor.machine(id.replace('_', '-'))).toMatchObject({ running: true, lock: null, disk: { gigabytes: 100 } });
      count.active++;
    } else {
      expect(status).toBe('REMOVED');
      expect(facts).not.toContain('compute_vps.created');
      count.refunded++;
    }
  }
  expect(await world.orphans()).toEqual([]);
  const held = await world.query<{ ip: string }>('select host(ip) as ip from compute.address where server_id is not null');
  expect(new Set(held.map(({ ip }) => ip)).size).toBe(held.length);
  return count;
}

/** All servers end, and nothing of them is left anywhere. */
async function clearAway(): Promise<void> {
  world.hypervisor.faults.next.length = 0;
  const living = await world.query<{ order_id: string }>(`select order_id from compute.server where status <> 'REMOVED'`);
  for (const { order_id } of living) await world.tell('subscription.ended', order_id, { status: 'ENDED', reason: 'CANCELLED' });
  expect(await world.run(7_200)).toBe(0);
  expect(world.hypervisor.machines()).toEqual([]);
  expect(world.hypervisor.backups()).toEqual([]);
  expect(await world.query('select from compute.address where server_id is not null')).toEqual([]);
  await world.query('update compute.address set rests_until = $1', [world.clock.now()]);
}

const STEPS: EndpointName[] = [
  ...(['nodes', 'resources', 'clone', 'task', 'current', 'readConfig', 'config', 'resize', 'start'] as const),
  // Of a build that is cleared away, and of one whose order is refunded meanwhile.
  ...(['stop', 'destroy'] as const),
];
const FAULTS: HypervisorFault[] = ['hang', 'half', 'lost_task', 'wrong_state', 'no_answer'];
/** Of each step at once: 22 Planks fit on the sandbox's nodes. */
const TOGETHER = SCALE < 0.1 ? 1 : 2;

test(`${STEPS.length} steps x ${FAULTS.length} faults: every order ends Active or paid back, with no machine and no address left over`, async () => {
  const rounds = Math.max(1, scaled(100) / TOGETHER);
  const total = { orders: 0, faults: 0, active: 0, refunded: 0 };
  for (const fault of FAULTS) {
    for (let round = 0; round < rounds; round++) {
      const orders: string[] = [];
      for (let index = 0; index < STEPS.length * TOGETHER; index++) orders.push(await world.order());
      for (const on of STEPS) for (let again = 0; again < TOGETHER; again++) world.hypervisor.faults.next.push({ fault, on });
      // Some are refunded on their way, at any moment of it.
      for (const orderId of orders.slice(0, 2 * TOGETHER)) {
        await world.run(2 * below(30));
        if ((await world.server(orderId)).status === 'BUILDING')
          await world.tell('subscription.ended', orderId, { status: 'ENDED', reason: 'REFUNDED' });
      }
      const { active, refunded } = await judge(orders);
      total.orders += orders.length;
      total.faults += STEPS.length * TOGETHER - world.hypervisor.faults.next.length;
      total.active += active;
      total.refunded += refunded;
      await clearAway();
    }
    say(`${fault}: ${total.orders} orders so far, ${total.active} Active, ${total.refunded} paid back`);
  }
  say(`${total.orders} orders, ${total.faults} faults met: ${total.active} Active, ${total.refunded} paid back, 0 left over`);
});

class Killed extends Error {}

/** A worker that dies after so many answers of the hypervisor, before it could write anything down. */
function mortal(answers: number): ComputeContext {
  const ctx = world.context();
  const { datacenter } = ctx.providers;
  if (!datacenter) throw new Error('there is no datacenter');
  let left = answers;
  const hypervisor = new Proxy(datacenter.hypervisor, {
    get(target, name: keyof Hypervisor) {
      const call = target[name] as (...given: unknown[]) => Promise<unknown>;
      return async (...given: unknown[]) => {
        const answer = await call.apply(target, given);
        if (left-- <= 0) throw new Killed();
        return answer;
      };
    },
  });
  return { ...ctx, providers: { ...ctx.providers, datacenter: { ...datacenter, hypervisor } } };
}

test('workers that are killed in the middle of builds: every order ends Active all the same', async () => {
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
        // Not so many that a build has no time left.
        const dies = kills < wanted && dice.toss(0.06);
        await runOperation(dies ? mortal(below(4)) : world.context(), id).catch((error: unknown) => {
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
  const owner = (session: number): Viewer => ({ ...sessionOf('acct_owner'), sessionId: `sess_${session}` }) as Viewer;
  const orders: string[] = [];
  for (let index = 0; index < 5; index++) orders.push(await world.order());
  await judge(orders);
  const ids = await Promise.all(orders.map(async (orderId) => (await world.server(orderId)).id));
  const MUTATIONS = ['vpsStart', 'vpsReboot', 'vpsStop', 'vpsForceStop', 'vpsResetPassword'];
  const wanted = scaled(1_000);
  let begun = 0;
  for (let asked = 0; asked < wanted;) {
    // Up to four sessions press at the same moment, on the same servers.
    const pressed = Array.from({ length: Math.min(4, wanted - asked) }, (_, session) =>
      world.ask(owner(session), `mutation { ${pick(MUTATIONS)}(id: "${pick(ids)}") { id } }`),
    );
    for (const { errors } of await Promise.all(pressed)) {
      if (!errors) begun++;
      else expect(errors[0]?.extensions['code']).toBe('action_not_allowed');
    }
    asked += pressed.length;
    if (dice.toss(0.05))
      world.hypervisor.faults.next.push({
        fault: pick(FAULTS),
        on: pick(['start', 'stop', 'shutdown', 'reboot', 'current', 'password'] as const),
      });
    await world.run(2 * below(20));
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
