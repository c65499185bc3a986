// Compute in a process of its own.
import { serveAlone } from '#shared/serve-alone.ts';
import { compute } from './subgraph.ts';

await serveAlone(compute);
