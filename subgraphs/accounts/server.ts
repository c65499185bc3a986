// Accounts in a process of its own.
import { serveAlone } from '#platform/serve-alone.ts';
import { readConfig, vendorsOf } from '../../configuration.ts';
import { accounts } from './subgraph.ts';

await serveAlone(accounts, { readConfig, vendorsOf });
