// Support's command `npm run --silent import-machines -- FILE` adds the dedicated machines of a JSON file to the stock, all of them or none.
import { readFile } from 'node:fs/promises';
import { withSubgraph } from '#platform/command.ts';
import { composition } from '../composition.ts';
import { importMachines } from '../machines/services/machine-inventory.ts';
import { compute } from '../subgraph.ts';

const USAGE = 'Usage: npm run --silent import-machines -- FILE';

await withSubgraph(compute, composition, async (ctx, refuse) => {
  const [file, ...rest] = process.argv.slice(2);
  if (file === undefined || file.startsWith('-') || rest.length > 0) throw refuse(USAGE);
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw refuse(`${file} cannot be read: ${error.message}`);
  });
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw refuse(`${file} is not JSON: ${(error as Error).message}`);
  }
  const { kept, problems } = await importMachines(ctx, list);
  if (problems.length > 0) throw refuse(['Nothing was taken in.', ...problems].join('\n'));
  process.stdout.write(`Machines in stock or changed: ${kept}\n`);
});
