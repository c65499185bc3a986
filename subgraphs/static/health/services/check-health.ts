// Scheduled checks of every address that a customer holds, made through its line.
import { DAY, after, toDay } from '#platform/clock.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { unseal } from '#platform/sealing.ts';
import {
  CHECK_EVERY_MS,
  type CheckResult,
  FAILURES_OF_AN_OUTAGE,
  HISTORY_DAYS,
  type HttpsProblem,
  RECHECK_MS,
  isOurFault,
} from '../domain/health.ts';
import { type DueCheck, claimDueChecks, forgetHealthBefore, recordChecks } from '../entities/health.ts';
import { endOutages, openOutages } from '../entities/outage.ts';
import type { HealthContext } from '../context.ts';
import type { Prober } from '../providers/prober.ts';

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
    const found = await inParallel(due, (check) => checkLine(ctx, prober, check));
    await learn(ctx, found);
    if (due.length < BATCH_SIZE) return;
  }
}

type Checked = DueCheck & { result: CheckResult; httpsFound: HttpsProblem | null };

/** Over TLS too where that is offered, once the plain port works: what keeps that from working keeps everything from working. */
async function checkLine({ providers, signal }: HealthContext, prober: Prober, check: DueCheck): Promise<Checked> {
  const { ip, port, username, planId } = check;
  const line = { ip, port, username, password: unseal(Buffer.from(check.passwordSealed), providers.sealing, planId) };
  const result = await prober(line, signal);
  const httpsFound = result.ok ? ((await providers.httpsProber?.(line, signal)) ?? null) : null;
  return { ...check, result, httpsFound };
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

/** Whether it began or ceased to fail, on either port. */
const hasTurned = ({ result, failuresInRow, httpsProblem, httpsFound }: Checked): boolean =>
  result.ok === failuresInRow > 0 || (result.ok && httpsFound !== httpsProblem);

/** Stores a round of checks, opens and ends outages, and appends an event for each plan of which an address began or ceased to fail. */
async function learn(ctx: HealthContext, all: readonly Checked[]): Promise<void> {
  const broke = all.filter(({ result, failuresInRow }) => !result.ok && failuresInRow === 0);
  const ours = isOurFault({ checked: all.length, broke: broke.length });
  if (ours) ctx.log.warn({ checked: all.length, failed: broke.length }, 'a round of checks failed as a whole: nobody is blamed');
  const checked = ours ? all.filter(({ result }) => result.ok) : all;
  await inTransaction(ctx, async ({ em, clock }) => {
    const at = clock.now();
    await recordChecks(
      em,
      checked.map(({ addressId, planId, result, httpsFound }) => ({
        addressId,
        planId,
        latencyMs: result.ok ? result.latencyMs : null,
        problem: result.ok ? null : result.problem,
        httpsProblem: httpsFound,
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
    const turned = new Map(checked.filter(hasTurned).map(({ planId, accountId }) => [planId, accountId]));
    await appendEvents(
      em,
      ...[...turned].map(([subject, accountId]) => ({ type: 'static_plan.health_changed' as const, at, accountId, subject })),
    );
  });
}
