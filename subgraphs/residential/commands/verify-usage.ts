// The operator's command `npm run --silent verify-usage` compares totals and days with the ledger; with `-- --rebuild` it computes those that differ again from
// the ledger.
import { withSubgraph } from '#platform/command.ts';
import { composition } from '../composition.ts';
import { rebuildUsage, verifyUsage } from '../metering/services/verify-usage.ts';
import { residential } from '../subgraph.ts';

const USAGE = 'Usage: npm run --silent verify-usage [-- --rebuild]';

await withSubgraph(residential, composition, async (ctx, refuse) => {
  const words = process.argv.slice(2);
  if (words.some((word) => word !== '--rebuild')) throw refuse(USAGE);
  const audit = await verifyUsage(ctx);
  const write = (line: string) => void process.stdout.write(`${line}\n`);
  write(`Plans: ${audit.plans}, days: ${audit.days}, ledger entries: ${audit.entries}, single entries since ${audit.ledgerSince}`);
  for (const { what, planId, of, stored, expected } of audit.differences)
    write(`${planId} ${what}${of && ` ${of}`}: stored ${stored}, by the ledger ${expected}`);
  const wrong = audit.differences.filter(({ what }) => what !== 'lease').map(({ planId }) => planId);
  if (audit.differences.length === 0) write('Everything agrees to the byte.');
  else if (!words.includes('--rebuild'))
    throw refuse(`Differences: ${audit.differences.length}. With -- --rebuild days and totals are made again.`);
  else {
    await rebuildUsage(ctx, wrong);
    const left = (await verifyUsage(ctx)).differences.length;
    if (left > 0) throw refuse(`Made again: ${new Set(wrong).size} plans. Differences left: ${left}.`);
    write(`Made again: ${new Set(wrong).size} plans. Everything agrees to the byte.`);
  }
});
