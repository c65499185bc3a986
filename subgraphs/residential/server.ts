// Residential in a process of its own, with the routes on which proxy nodes ask for residential plans.
import { serveAlone } from '#platform/serve-alone.ts';
import { createEdgePasses } from '../../edge/protocol/passes.ts';
import { createEdgeRoutes } from '../../edge/protocol/routes.ts';
import { composition } from './composition.ts';
import { passedOnStaticPlans } from './leases/providers/static-plans.ts';
import { residential } from './subgraph.ts';

await serveAlone(residential, composition, ({ config, secrets, clock, notifications }, { parts }) => {
  const passes = createEdgePasses(secrets.edges, clock);
  const url = config.SUBGRAPH_URLS?.['static'];
  return createEdgeRoutes({
    ...parts,
    staticPlans: passedOnStaticPlans({ url, passes, notifications }),
    passes,
  });
});
