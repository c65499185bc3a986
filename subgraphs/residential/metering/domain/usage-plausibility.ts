// Which lines of a network are plausible. A network that cannot count, or whose secret leaked, must not use up customers' packages: lines that no plan can have
// carried wait for support instead of being counted. Spec is silent on every number.
import { GB } from '#platform/data-size.ts';
import { HOUR, MINUTE, SECOND } from '#platform/clock.ts';
import type { LockedPlan } from '../../plans/domain/plan.ts';

export const PLAUSIBLE = {
  /** 10 Gbit/s: more than one plan has ever carried. */
  bytesPerSecond: 1_250_000_000n,
  /** The longest time that one line is taken to cover, and the shortest. */
  lineMsMax: HOUR,
  lineMsMin: MINUTE,
  /** A network carries a little more after a package is used up, and reports it late. The greater of these two is still counted beyond the package's end. */
  overrunBytes: GB,
  overrunShare: 10n,
  /** Limit of all lines of one report together: an hour of 1 Tbit/s. */
  reportBytes: 450_000_000_000_000n,
} as const;

export type HoldReason = 'line_rate' | 'plan_rate' | 'plan_rest' | 'report_rate';

const bitsPerSecond = (bytes: bigint, seconds: number): number => (Number(bytes) * 8) / seconds;
const LINE_GBITS = bitsPerSecond(PLAUSIBLE.bytesPerSecond, 1) / 1e9;
const REPORT_TBITS = bitsPerSecond(PLAUSIBLE.reportBytes, HOUR / SECOND) / 1e12;

/** The texts that support reads. */
export const HOLD_REASONS: Readonly<Record<HoldReason, string>> = {
  line_rate: `The line is more than ${LINE_GBITS} Gbit/s over the time that it can tell of, an hour at most.`,
  plan_rate: `With this line the plan would have carried more than ${LINE_GBITS} Gbit/s since it was bought.`,
  plan_rest: `The line is more than is left of the package, and a tenth of it or ${PLAUSIBLE.overrunBytes / GB} GB beyond.`,
  report_rate: `The lines of the report are together more than an hour of ${REPORT_TBITS} Tbit/s.`,
};

const carriedWithin = (milliseconds: number): bigint =>
  (PLAUSIBLE.bytesPerSecond * BigInt(Math.max(0, Math.ceil(milliseconds)))) / BigInt(SECOND);

/** How many bytes are counted beyond the end of a package. Published. */
export function overrunOf(totalBytes: bigint): bigint {
  const share = totalBytes / PLAUSIBLE.overrunShare;
  return share > PLAUSIBLE.overrunBytes ? share : PLAUSIBLE.overrunBytes;
}

/** Judges lines one after another; bytes of earlier lines count when later ones are judged. */
export class Plausibility {
  readonly #plans: ReadonlyMap<string, LockedPlan>;
  readonly #now: Date;
  /** Bytes of plausible lines, by plan and by report. */
  readonly #ofPlan = new Map<string, bigint>();
  readonly #ofReport = new Map<string, bigint>();

  constructor(plans: ReadonlyMap<string, LockedPlan>, now: Date) {
    this.#plans = plans;
    this.#now = now;
  }

  /** The reason why the line waits for support; undefined: it counts. `report` identifies the source and its report. */
  judge(report: string, line: { planId: string; upBytes: bigint; downBytes: bigint; at: Date }): HoldReason | undefined {
    const plan = this.#plans.get(line.planId);
    if (!plan) return 'plan_rest';
    const bytes = line.upBytes + line.downBytes;
    const age = line.at.getTime() - plan.createdAt.getTime();
    if (bytes > carriedWithin(Math.min(PLAUSIBLE.lineMsMax, Math.max(PLAUSIBLE.lineMsMin, age)))) return 'line_rate';
    const used = plan.usedBytes + (this.#ofPlan.get(line.planId) ?? 0n) + bytes;
    if (used > plan.totalBytes + overrunOf(plan.totalBytes)) return 'plan_rest';
    if (used > carriedWithin(this.#now.getTime() - plan.createdAt.getTime() + PLAUSIBLE.lineMsMax)) return 'plan_rate';
    const reported = (this.#ofReport.get(report) ?? 0n) + bytes;
    if (reported > PLAUSIBLE.reportBytes) return 'report_rate';
    this.#ofPlan.set(line.planId, (this.#ofPlan.get(line.planId) ?? 0n) + bytes);
    this.#ofReport.set(report, reported);
    return undefined;
  }
}
