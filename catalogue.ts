// Operator's command for what is sold and at which prices: `npm run --silent catalogue -- COMMAND ...`. Uses the same use cases as the support desk.
import { withOwner, withSubgraph } from '#platform/command.ts';
import { isDay, systemClock } from '#platform/clock.ts';
import { StartFailure, sentenceOf } from '#platform/start-failure.ts';
import { readCatalogueFile } from '#commerce/catalogue/catalogue-file.ts';
import { type CatalogueDifference, importCatalogues } from '#commerce/catalogue/catalogue-import.ts';
import { toText } from '#commerce/catalogue/catalogue-value.ts';
import { type CatalogueContext, catalogueLines, exportCatalogue } from '#commerce/catalogue/change-catalogue.ts';
import { REPRICED_SERVERS } from './subgraphs/compute/orders/services/repriced-servers.ts';
import { compute } from './subgraphs/compute/subgraph.ts';
import { REPRICED_PLANS } from './subgraphs/static/plans/services/repriced-plans.ts';
import { staticProxies } from './subgraphs/static/subgraph.ts';
import { type RepricingContext, announceRepricing, repricings, withdrawRepricing } from '#commerce/repricing/reprice.ts';
import { type Repricing, repricingWithId } from '#commerce/repricing/repricing-rows.ts';
import { CATALOGUE_FIELDS } from './catalogue-fields.ts';
import { composition } from './configuration.ts';
import { SELLERS, ofEachSeller } from './each-seller.ts';

const USAGE = `Usage: npm run --silent catalogue -- COMMAND
  show                     every field, its value now, since when, and who has set it
  export                   what is sold now, as a catalogue file
  reprice ITEM DAY REASON  announces the prices of now to running subscriptions of an item; periods that begin on that day or later cost them
  repricings               what was announced, and how many have yet to renew at it
  keep-price ID            takes an announcement back before it applies
  import FILE [--dry-run]  sets what the file says from now on, all of it or nothing; what it does not name stays. --dry-run only tells what would change`;

const showLines = (ctx: CatalogueContext): string =>
  catalogueLines(ctx)
    .map(({ field, value, history }) => {
      const inForce = history.find(({ state }) => state === 'IN_FORCE');
      return [`${field.item}.${field.name}`, value, inForce?.from.toISOString() ?? '-', inForce?.setBy ?? '-'].join('\t');
    })
    .join('\n');

const differenceLine = ({ field, before, value }: CatalogueDifference): string =>
  [`${field.item}.${field.name}`, toText(field.kind, before), toText(field.kind, value)].join('\t');

async function importFile(file: string, dryRun: boolean): Promise<void> {
  // The whole file is checked before anything is opened.
  const wishes = readCatalogueFile(file, CATALOGUE_FIELDS);
  await withOwner(composition, async (em) => {
    const changed = await importCatalogues({ em, clock: systemClock, wishes, dryRun });
    const lines = dryRun
      ? [...changed.map(differenceLine), `Fields that would change: ${changed.length}`]
      : [`Fields changed: ${changed.length}`];
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}

const repricingLine = ({ id, item, appliesFrom, withdrawnAt, waiting, reason }: Repricing): string =>
  [id, item, appliesFrom.toISOString(), withdrawnAt ? 'withdrawn' : `${waiting} waiting`, reason].join('\t');

async function reprice(item: string, day: string, reason: string): Promise<void> {
  if (!isDay(day)) throw new StartFailure(`${day} is not a day such as 2027-03-01.`);
  const wish = { item, from: new Date(day), reason };
  const say = (repricing: Repricing) => void process.stdout.write(`${repricingLine(repricing)}\n`);
  if (REPRICED_PLANS.items.includes(item))
    await withSubgraph(staticProxies, composition, async (ctx) => say(await announceRepricing(ctx, 'static', REPRICED_PLANS, wish)));
  else await withSubgraph(compute, composition, async (ctx) => say(await announceRepricing(ctx, 'compute', REPRICED_SERVERS, wish)));
}

/** Runs `work` for both sellers of subscriptions. */
async function ofSubscriptions(work: (ctx: RepricingContext, seller: 'static' | 'compute') => Promise<void>): Promise<void> {
  await withSubgraph(staticProxies, composition, (ctx) => work(ctx, 'static'));
  await withSubgraph(compute, composition, (ctx) => work(ctx, 'compute'));
}

async function keepPrice(id: string): Promise<void> {
  let found: Repricing | undefined;
  await ofSubscriptions(async (ctx, seller) => {
    if (await repricingWithId(ctx.em, id)) found = await withdrawRepricing(ctx, seller, id);
  });
  if (!found && !process.exitCode) throw new StartFailure(`No announcement has the id ${id}.`);
  if (found) process.stdout.write(`${repricingLine(found)}\n`);
}

async function run([command, file, ...rest]: string[]): Promise<void> {
  if (command === 'show' && file === undefined) {
    await ofEachSeller(SELLERS, async (ctx) => void process.stdout.write(`${showLines(ctx)}\n`));
  } else if (command === 'export' && file === undefined) {
    const all = {};
    if (await ofEachSeller(SELLERS, async (ctx) => void Object.assign(all, exportCatalogue(ctx))))
      process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  } else if (command === 'reprice' && file !== undefined && rest.length === 2) {
    await reprice(file, rest[0] ?? '', rest[1] ?? '');
  } else if (command === 'repricings' && file === undefined) {
    await ofSubscriptions(async (ctx) => {
      for (const repricing of await repricings(ctx)) process.stdout.write(`${repricingLine(repricing)}\n`);
    });
  } else if (command === 'keep-price' && file !== undefined && rest.length === 0) {
    await keepPrice(file);
  } else if (command === 'import' && file !== undefined && rest.every((word) => word === '--dry-run') && rest.length <= 1) {
    await importFile(file, rest.length === 1);
  } else {
    process.stderr.write(`${USAGE}\n`);
    process.exitCode = 1;
  }
}

await run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
});
