// The operator's command `npm run --silent enrol-edge -- ID` enrols a new proxy node and prints its key, which is shown only this once.
import { withSubgraph } from '#platform/command.ts';
import { composition } from '../composition.ts';
import { enrolEdge } from '../edges/services/edges.ts';
import { residential } from '../subgraph.ts';

await withSubgraph(residential, composition, async (ctx, refuse) => {
  const [id, ...rest] = process.argv.slice(2);
  if (id === undefined || id.startsWith('-') || rest.length > 0) throw refuse('Usage: npm run --silent enrol-edge -- ID');
  process.stdout.write(`EDGE_KEY=${await enrolEdge(ctx, id)}\n`);
});
