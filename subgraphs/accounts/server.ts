// Accounts in a process of its own.
import { serveAlone } from '#shared/serve-alone.ts';
import { accounts } from './subgraph.ts';

await serveAlone(accounts);
