// Residential in a process of its own, with the paths that proxy nodes call.
import { serveAlone } from '#platform/serve-alone.ts';
import { createEdgeRoutes } from './edge-control.ts';
import { remoteStaticLines } from './leases/providers/static-lines.ts';
import { residential } from './subgraph.ts';

await serveAlone(residential, ({ config, secrets, clock, notifications }, subgraph) => {
  const url = config.SUBGRAPH_URLS?.['static'];
  return createEdgeRoutes({
    context: () => subgraph.systemContext('edges'),
    notifications,
    staticLines: url === undefined ? undefined : remoteStaticLines({ url, secret: secrets.identity, clock, notifications }),
  });
});
