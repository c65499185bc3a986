// The subgraph static with scheduled health checks, whose results for each address the test sets.
import { afterAll, beforeEach } from 'vitest';
import { MINUTE } from '#platform/clock.ts';
import type { CheckResult, HttpsProblem } from '../../../subgraphs/static/health/domain/health.ts';
import { deliverPlan } from '../../../subgraphs/static/delivery/services/deliver-plan.ts';
import { sessionOf } from '../../kit/platform.ts';
import { startStatic } from './world.ts';

/** Starts the world for the calling test file, and closes it after its last test. Before each test every address works again. */
export async function startHealth() {
  const world = await startStatic({ ADDRESS_REST_HOURS: '0' });
  /** IP address -> the result of its checks; all other addresses work. */
  const broken = new Map<string, CheckResult>();
  /** The same of ports where customers speak TLS to the proxy. */
  const brokenOverTls = new Map<string, HttpsProblem>();
  const asked: string[] = [];
  world.context().providers.prober = async ({ ip, username, password }) => {
    asked.push(`${ip}:${username}:${password}`);
    return broken.get(ip) ?? { ok: true, latencyMs: 12 };
  };
  world.context().providers.httpsProber = async ({ ip }) => brokenOverTls.get(ip) ?? null;
  beforeEach(() => {
    broken.clear();
    brokenOverTls.clear();
    asked.length = 0;
  });
  afterAll(() => world.close());

  let subnets = 0;
  return {
    world,
    broken,
    brokenOverTls,
    asked,
    /** A delivered plan of a new account, with `spare` free addresses of its product. */
    async plan(quantity: number, spare = 0, productId = 'isp-northline') {
      const accountId = `acct_${++subnets}`;
      await world.tables.emptyShelf();
      await world.stock(productId, quantity + spare, `10.${subnets}`);
      const id = await world.plan(accountId, productId, quantity);
      await deliverPlan(world.context(), id);
      const ask = async (query: string, variables: Record<string, unknown> = {}, viewer = accountId) => {
        const { data, errors } = await world.ask(sessionOf(viewer), query, { id, ...variables });
        return { data: data as any, code: errors?.[0]?.extensions['code'], message: errors?.[0]?.message };
      };
      const read = async (fields: string) => (await ask(`query ($id: ID!) { staticPlan(id: $id) { ${fields} } }`, { id })).data?.staticPlan;
      return { id, accountId, read, ask };
    },
    async check(minutes = 10) {
      world.platform.clock.advance(minutes * MINUTE);
      await world.platform.queue.runNow('static.health-check');
    },
  };
}
