// Static in a process of its own, with the path where residential asks for the lines that proxy nodes serve.
import { serveAlone } from '#platform/serve-alone.ts';
import { createEdgeLines, createEdgeLinesRoute } from './edge-lines.ts';
import { staticProxies } from './subgraph.ts';

await serveAlone(staticProxies, ({ secrets, clock, notifications }, subgraph) => [
  createEdgeLinesRoute(createEdgeLines({ context: () => subgraph.systemContext('edges'), notifications }), secrets.identity, clock),
]);
