// Accounts in a process of its own.
import { serveAlone } from '#platform/serve-alone.ts';
import { composition } from './composition.ts';
import { accounts } from './subgraph.ts';

await serveAlone(accounts, composition);
