// Static in a process of its own.
import { serveAlone } from '#shared/serve-alone.ts';
import { staticProxies } from './subgraph.ts';

await serveAlone(staticProxies);
