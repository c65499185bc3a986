// The subgraph residential alone on a test database, with plans and usage reports in one call each.
import type { ExecutionResult } from 'graphql';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../subgraphs/residential/plans/domain/plan.ts';
import type { ProductCode } from '../../../edge/protocol/product.ts';
import type { UsageLine } from '../../../subgraphs/residential/metering/domain/usage-report.ts';
import { plansById } from '../../../subgraphs/residential/plans/entities/plan.ts';
import { grantPlan } from '../../../subgraphs/residential/plans/services/grant-plan.ts';
import { receiveUsageReport } from '../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { residential } from '../../../subgraphs/residential/subgraph.ts';
import { openRoom } from '../../kit/room.ts';
import { residentialTables } from './tables.ts';

export async function startResidential(environment: Record<string, string> = {}) {
  const room = await openRoom(residential, { environment });
  const { platform, context } = room;
  let reports = 0;
  const planNow = async (id: string): Promise<Plan> => {
    const [plan] = await plansById(context().em, [id], platform.clock.now());
    if (!plan) throw new Error(`no plan ${id}`);
    return plan;
  };
  /** A line of a usage report: by default 1,000 downloaded bytes of a plan, at the clock's time. */
  const line = (plan: Plan, over: Partial<UsageLine> = {}): UsageLine => ({
    line: 0,
    username: plan.username,
    upBytes: 0n,
    downBytes: 1_000n,
    at: platform.clock.now(),
    ...over,
  });
  return {
    ...room,
    tables: residentialTables(room.query),
    async plan(accountId: string, product: ProductCode = 'PREMIUM', bytes = 10n * GB, validDays?: number): Promise<Plan> {
      return planNow((await grantPlan(context(), { accountId, product, bytes, validDays })).planId);
    },
    /** The plan as it is now. */
    planNow,
    report: (lines: readonly UsageLine[], source = 'network', reportId = `report-${++reports}`) =>
      receiveUsageReport(context(), { source, reportId, lines }),
    line,
    /** Reports `bytes` as downloaded with a plan, at the clock's time. */
    use(plan: Plan, bytes: bigint, over: Partial<UsageLine> = {}) {
      return this.report([line(plan, { downBytes: bytes, ...over })]);
    },
  };
}

export type ResidentialWorld = Awaited<ReturnType<typeof startResidential>>;

/** The codes of an answer's errors. */
export const codesOf = ({ errors }: ExecutionResult): unknown[] => (errors ?? []).map(({ extensions }) => extensions['code']);
