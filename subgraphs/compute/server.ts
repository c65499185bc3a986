// Compute in a process of its own.
import { serveAlone } from '#platform/serve-alone.ts';
import { composition } from './composition.ts';
import { compute } from './subgraph.ts';

await serveAlone(compute, composition);
