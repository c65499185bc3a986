// Support's command `npm run --silent import-inventory -- FILE` loads a CSV file of addresses (ip,port,product,location), all of it or nothing.
import { readFile } from 'node:fs/promises';
import { withSubgraph } from '#platform/command.ts';
import { sentenceOf } from '#platform/errors.ts';
import { composition } from '../composition.ts';
import { importInventory } from '../inventory/services/import-inventory.ts';
import { staticProxies } from '../subgraph.ts';

const USAGE = 'Usage: npm run --silent import-inventory -- FILE';

await withSubgraph(staticProxies, composition, async (ctx, refuse) => {
  const [file, ...rest] = process.argv.slice(2);
  if (file === undefined || file.startsWith('-') || rest.length > 0) throw refuse(USAGE);
  const csv = await readFile(file, 'utf8').catch((error: Error) => {
    throw refuse(`${file} cannot be read: ${error.message}`);
  });
  const { loaded, problems } = await importInventory(ctx, csv);
  if (problems.length > 0)
    throw refuse(['Nothing was loaded.', ...problems.map(({ line, reason }) => `line ${line}: ${sentenceOf(reason)}`)].join('\n'));
  process.stdout.write(`Addresses loaded: ${loaded}\n`);
});
