// Operator's command for what is sold and at which prices: `npm run --silent catalogue -- COMMAND ...`. Uses the same use cases as the support desk.
import { readOperatorFile } from '#platform/operator-file.ts';
import { withSubgraph } from '#platform/command.ts';
import { sentenceOf } from '#platform/start-failure.ts';
import type { SubgraphDefinition } from '#platform/subgraph.ts';
import type { CatalogueBook } from '#commerce/catalogue/catalogue-book.ts';
import type { CatalogueField } from '#commerce/catalogue/catalogue-entry.ts';
import { type CatalogueContext, catalogueLines, exportCatalogue, importCatalogue } from '#commerce/catalogue/change-catalogue.ts';
import { type CatalogueWish, judgeCatalogue } from '#commerce/catalogue/catalogue-file.ts';
import { SUBGRAPH_DEFINITIONS } from './all-subgraphs.ts';
import { composition } from './configuration.ts';
import type { Seller } from './schema/subgraphs.ts';
import { COMPUTE_CATALOGUE } from './subgraphs/compute/catalogue/domain/catalogue.ts';
import { RESIDENTIAL_CATALOGUE } from './subgraphs/residential/plans/domain/catalogue.ts';
import { STATIC_CATALOGUE } from './subgraphs/static/products/domain/catalogue.ts';

const USAGE = `Usage: npm run --silent catalogue -- COMMAND
  show                     every field, its value now, since when, and who has set it
  export                   what is sold now, as a catalogue file
  import FILE              sets what the file says from now on; what it does not name stays. A file with a mistake changes nothing`;

const FIELDS: Record<Seller, readonly CatalogueField[]> = {
  residential: RESIDENTIAL_CATALOGUE,
  static: STATIC_CATALOGUE,
  compute: COMPUTE_CATALOGUE,
};

/** Runs `work` for one seller after the other, and stops at the first failure. */
async function ofEachSeller(work: (ctx: CatalogueContext, seller: Seller) => Promise<void> | void): Promise<boolean> {
  for (const seller of Object.keys(FIELDS) as Seller[]) {
    const definition = SUBGRAPH_DEFINITIONS[seller] as unknown as SubgraphDefinition<{ catalogue: CatalogueBook }>;
    await withSubgraph(definition, composition, async (ctx) => work(ctx, seller));
    if (process.exitCode) return false;
  }
  return true;
}

const showLines = (ctx: CatalogueContext): string =>
  catalogueLines(ctx)
    .map(({ field, value, history }) => {
      const inForce = history.find(({ state }) => state === 'IN_FORCE');
      return [`${field.item}.${field.name}`, value, inForce?.from.toISOString() ?? '-', inForce?.setBy ?? '-'].join('\t');
    })
    .join('\n');

async function run([command, file, ...rest]: string[]): Promise<void> {
  if (command === 'show' && file === undefined) {
    await ofEachSeller((ctx) => void process.stdout.write(`${showLines(ctx)}\n`));
  } else if (command === 'export' && file === undefined) {
    const all = {};
    if (await ofEachSeller((ctx) => void Object.assign(all, exportCatalogue(ctx))))
      process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  } else if (command === 'import' && file !== undefined && rest.length === 0) {
    // The whole file is checked before anything is written.
    const wishes = readOperatorFile(
      file,
      (content) =>
        Object.fromEntries(
          Object.entries(FIELDS).map(([seller, fields]) => [seller, judgeCatalogue(content, seller as Seller, fields)]),
        ) as Record<Seller, CatalogueWish[]>,
    );
    let changed = 0;
    const done = await ofEachSeller(async (ctx, seller) => {
      changed += await importCatalogue(ctx, wishes[seller], '');
    });
    if (done) process.stdout.write(`Fields changed: ${changed}\n`);
  } else {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 1;
  }
}

await run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
});
