// Residential in a process of its own.
import { serveAlone } from '#shared/serve-alone.ts';
import { residential } from './subgraph.ts';

await serveAlone(residential);
