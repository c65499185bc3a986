// The operator's command: `npm run --silent enrol-edge -- ID` prints the key of a new proxy node, once.
import { withSubgraph } from '#platform/command.ts';
import { readConfig, vendorsOf } from '../../../configuration.ts';
import { enrolEdge } from '../leases/services/edges.ts';
import { residential } from '../subgraph.ts';

await withSubgraph(residential, { readConfig, vendorsOf }, async (ctx, refuse) => {
  const [id, ...rest] = process.argv.slice(2);
  if (id === undefined || id.startsWith('-') || rest.length > 0) throw refuse('Usage: npm run --silent enrol-edge -- ID');
  process.stdout.write(`EDGE_KEY=${await enrolEdge(ctx, id)}\n`);
});
