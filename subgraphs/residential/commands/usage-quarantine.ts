// The operator's command `npm run --silent usage-quarantine` lists reported lines that no plan can have carried. `-- accept ID...` counts them; `-- discard
// ID...` and `-- discard --source NAME` decide that they never count.
import { withSubgraph } from '#platform/command.ts';
import { composition } from '../composition.ts';
import { HOLD_REASONS } from '../metering/domain/usage-plausibility.ts';
import type { Context } from '../providers.ts';
import { acceptUsage, discardUsage, heldLines } from '../metering/services/decide-on-usage.ts';
import { residential } from '../subgraph.ts';

const USAGE = 'Usage: npm run --silent usage-quarantine [-- accept ID... | -- discard ID... | -- discard --source NAME]';
const BATCH_SIZE = 1_000;
const BY = 'command';

await withSubgraph(residential, composition, async (ctx, refuse) => {
  const [what, ...ids] = process.argv.slice(2);
  const write = (text: string) => void process.stdout.write(`${text}\n`);
  const ofSource = ids.length === 2 && ids[0] === '--source' ? ids[1] : undefined;
  if (what === undefined) await list(ctx, write);
  else if (what === 'discard' && ofSource !== undefined) write(`Discarded: ${await discardAllOf(ctx, ofSource)}`);
  else if (ids.length === 0 || ids.some((id) => id.startsWith('-'))) throw refuse(USAGE);
  else if (what === 'accept') write(`Counted: ${await acceptUsage(ctx, ids, BY)}`);
  else if (what === 'discard') write(`Discarded: ${await discardUsage(ctx, ids, BY)}`);
  else throw refuse(USAGE);
});

async function list(ctx: Context, write: (text: string) => void): Promise<void> {
  let after: string | undefined;
  let waiting = 0;
  for (;;) {
    const lines = await heldLines(ctx, { after, first: BATCH_SIZE });
    for (const { id, source, reportId, line, planId, upBytes, downBytes, at, reason } of lines)
      write(
        `${id} ${source} ${reportId}:${line} ${planId} up ${upBytes} down ${downBytes} at ${at.toISOString()}. ${HOLD_REASONS[reason]}`,
      );
    waiting += lines.length;
    after = lines.at(-1)?.id;
    if (lines.length < BATCH_SIZE) break;
  }
  write(`Lines that wait: ${waiting}`);
}

async function discardAllOf(ctx: Context, source: string): Promise<number> {
  let discarded = 0;
  for (;;) {
    const lines = await heldLines(ctx, { source, first: BATCH_SIZE });
    if (lines.length === 0) return discarded;
    discarded += await discardUsage(
      ctx,
      lines.map(({ id }) => id),
      BY,
    );
  }
}
