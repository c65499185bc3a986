// Compute in a process of its own.
import { serveAlone } from '#platform/serve-alone.ts';
import { readConfig, vendorsOf } from '../../configuration.ts';
import { compute } from './subgraph.ts';

await serveAlone(compute, { readConfig, vendorsOf });
