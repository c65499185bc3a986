// Scheduled checks of every address that a customer holds, made through its line.
import { DAY, after, toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { unseal } from '#platform/sealing.ts';
import { CHECK_EVERY_MS, type CheckResult, FAILURES_OF_AN_OUTAGE, HISTORY_DAYS, RECHECK_MS, isOurFault } from '../domain/health.ts';
import { type DueCheck, claimDueChecks, forgetHealthBefore, recordChecks } from '../entities/health.ts';
import { endOutages, openOutages } from '../entities/outage.ts';
import type { HealthContext } from '../context.ts';

const BATCH_SIZE = 1_000;
const CONCURRENCY = 50;
/** The most rounds in one run; the next minute's run continues. */
const ROUNDS = 20;

/** Checks the addresses that are due. Without a page to check through it does nothing. */
export async function checkHealth(ctx: HealthContext): Promise<void> {
  const { prober } = ctx.providers;
  if (!prober) return;
  await forgetHealthBefore(ctx.em, toDay(after(ctx.clock.now(), -HISTORY_DAYS * DAY)));
  for (let round = 0; round < ROUNDS; round++) {
    const at = ctx.clock.now();
    const due = await claimDueChecks(ctx.em, { at, nextAt: after(at, CHECK_EVERY_MS), limit: BATCH_SIZE });
    const results = await inParallel(due, ({ ip, port, username, passwordSealed, planId }) =>
      prober({ ip, port, username, password: unseal(Buffer.from(passwordSealed), ctx.providers.sealing, planId) }, ctx.signal),
    );
    await learn(ctx, due, results);
    if (due.length < BATCH_SIZE) return;
  }
}

async function inParallel<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...items.entries()].values();
  const worker = async () => {
    for (const [index, item] of left) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return results;
}

type Checked = DueCheck & { result: CheckResult };

/** Stores a round of checks, opens and ends outages, and appends an event for each plan of which an address began or ceased to fail. */
async function learn(ctx: HealthContext, due: readonly DueCheck[], results: readonly CheckResult[]): Promise<void> {
  const all = due.flatMap((check, index): Checked[] => (results[index] ? [{ ...check, result: results[index] }] : []));
  const broke = all.filter(({ result, failuresInRow }) => !result.ok && failuresInRow === 0);
  const ours = isOurFault({ checked: all.length, broke: broke.length });
  if (ours) ctx.log.warn({ checked: all.length, failed: broke.length }, 'a round of checks failed as a whole: nobody is blamed');
  const checked = ours ? all.filter(({ result }) => result.ok) : all;
  await inTransaction(ctx, async ({ em, clock }) => {
    const at = clock.now();
    await recordChecks(
      em,
      checked.map(({ addressId, planId, result }) => ({
        addressId,
        planId,
        latencyMs: result.ok ? result.latencyMs : null,
        problem: result.ok ? null : result.problem,
        nextAt: after(at, result.ok ? CHECK_EVERY_MS : RECHECK_MS),
      })),
      at,
    );
    const mended = checked.filter(({ result, failuresInRow }) => result.ok && failuresInRow > 0);
    await endOutages(em, { addressIds: mended.map(({ addressId }) => addressId) }, at);
    await openOutages(
      em,
      checked.flatMap(({ result, failuresInRow, failingSince, addressId, planId }) =>
        !result.ok && failuresInRow + 1 >= FAILURES_OF_AN_OUTAGE
          ? [{ id: newId('out', clock), addressId, planId, problem: result.problem, startedAt: failingSince ?? at }]
          : [],
      ),
    );
    const turned = new Map(
      checked.filter(({ result, failuresInRow }) => result.ok === failuresInRow > 0).map(({ planId, accountId }) => [planId, accountId]),
    );
    await appendEvents(
      em,
      ...[...turned].map(([subject, accountId]) => ({ type: 'static_plan.health_changed' as const, at, accountId, subject })),
    );
  });
}
