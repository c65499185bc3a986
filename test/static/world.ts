// Static alone on a test database, with inventory and plans in one call each.
import type { ExecutionResult } from 'graphql';
import { systemClock } from '#shared/clock.ts';
import type { Viewer } from '#shared/identity.ts';
import { newId } from '#shared/ids.ts';
import { startSubgraph } from '#shared/subgraph.ts';
import { createSubgraphRunner } from '#shared/subgraph-runner.ts';
import type { StaticContext } from '../../subgraphs/static/builder.ts';
import { createPlan } from '../../subgraphs/static/services/create-plan.ts';
import { importInventory } from '../../subgraphs/static/services/import-inventory.ts';
import { staticProxies } from '../../subgraphs/static/subgraph.ts';
import { startPlatform } from '../kit/platform.ts';

export async function startStatic(environment: Record<string, string> = {}) {
  const platform = await startPlatform(environment);
  const subgraph = await startSubgraph(platform, staticProxies);
  const runner = createSubgraphRunner(subgraph, platform.log);
  let orders = 0;
  const context = (): StaticContext => subgraph.systemContext('test');
  return {
    platform,
    subgraph,
    context,
    query: platform.database.query,
    /** A subgraph's answer to this viewer. */
    ask: (viewer: Viewer, query: string, variables?: Record<string, unknown>): Promise<ExecutionResult> =>
      runner.execute({ query, ...(variables && { variables }) }, viewer),
    /** `count` addresses of a product from `prefix`.0 on. */
    stock: (productId: string, count: number, prefix: string) =>
      importInventory(
        context(),
        [
          'ip,port,product,location',
          ...Array.from({ length: count }, (_, index) => `${prefix}.${index >> 8}.${index & 255},8000,${productId},Frankfurt`),
        ].join('\n'),
      ),
    /** The plan of a new order, PENDING until something delivers it. */
    plan(accountId: string, productId: string, quantity: number, orderId = `ord_${++orders}`) {
      return createPlan(context(), { orderId, accountId, productId, quantity, subscriptionId: newId('sub', systemClock) });
    },
    async close() {
      await subgraph.close();
      await platform.close();
    },
  };
}

export type StaticWorld = Awaited<ReturnType<typeof startStatic>>;
