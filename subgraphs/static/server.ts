// Static in a process of its own, with the routes on which proxy nodes ask for static plans.
import { serveAlone } from '#platform/serve-alone.ts';
import { createEdgePasses } from '../../edge/protocol/passes.ts';
import { createEdgeRoutes } from '../../edge/protocol/routes.ts';
import { composition } from './composition.ts';
import { staticProxies } from './subgraph.ts';

await serveAlone(staticProxies, composition, ({ secrets, clock }, { parts }) =>
  createEdgeRoutes({
    ...parts,
    passes: createEdgePasses(secrets.edges, clock),
  }),
);
