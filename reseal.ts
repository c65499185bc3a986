// Operator's command: `npm run --silent reseal` with SECRET=new,old seals again everything that was sealed with an earlier secret; after it the old one is not
// needed any more.
import { withSubgraph } from '#platform/command.ts';
import { environment } from '#platform/environment.ts';
import { forgetPrevious, resealColumns } from '#platform/sealed-columns.ts';
import { secretsOf } from '#platform/secrets.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import { SUBGRAPH_DEFINITIONS } from './all-subgraphs.ts';
import { readConfig, composition } from './configuration.ts';

let count = 0;
const sealing = () => secretsOf(readConfig(environment())).sealing;

for (const definition of Object.values(SUBGRAPH_DEFINITIONS) as SubgraphDefinition<unknown>[]) {
  await withSubgraph(definition, composition, async ({ em }) => {
    count += await resealColumns(em, definition.sealed, sealing());
    await forgetPrevious(em, definition.name, sealing());
  });
  if (process.exitCode) break;
}
if (!process.exitCode) process.stdout.write(`Sealed anew: ${count}. The first secret in SECRET opens everything.\n`);
