// Residential alone on a test database, with plans and reports in one call each.
import type { ExecutionResult } from 'graphql';
import type { Viewer } from '#platform/identity.ts';
import { startSubgraph } from '#platform/subgraph.ts';
import { createSubgraphRunner } from '#platform/subgraph-runner.ts';
import { GB } from '#platform/data-size.ts';
import type { Plan } from '../../../subgraphs/residential/plans/domain/plan.ts';
import type { ProductCode } from '../../../edge/protocol/product.ts';
import type { UsageLine } from '../../../subgraphs/residential/metering/domain/usage-report.ts';
import { plansById } from '../../../subgraphs/residential/plans/entities/plan.ts';
import type { Context } from '../../../subgraphs/residential/providers.ts';
import { grantPlan } from '../../../subgraphs/residential/plans/services/grant-plan.ts';
import { receiveUsageReport } from '../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { residential } from '../../../subgraphs/residential/subgraph.ts';
import { startPlatform } from '../../kit/platform.ts';
import { eventsOf } from '../../kit/tables.ts';
import { residentialTables } from './tables.ts';

export async function startResidential(environment: Record<string, string> = {}) {
  const platform = await startPlatform(environment);
  const subgraph = await startSubgraph(platform, residential);
  const runner = createSubgraphRunner(subgraph, platform.log);
  let reports = 0;
  const context = (): Context => subgraph.systemContext('test');
  const planNow = async (id: string): Promise<Plan> => {
    const [plan] = await plansById(context().em, [id], platform.clock.now());
    if (!plan) throw new Error(`no plan ${id}`);
    return plan;
  };
  /** A line of a report: 1,000 bytes down on a plan, at the clock's time. */
  const line = (plan: Plan, over: Partial<UsageLine> = {}): UsageLine => ({
    line: 0,
    username: plan.username,
    upBytes: 0n,
    downBytes: 1_000n,
    at: platform.clock.now(),
    ...over,
  });
  return {
    platform,
    clock: platform.clock,
    subgraph,
    runner,
    context,
    query: platform.database.query,
    tables: residentialTables(platform.database.query),
    /** A context of this caller, for calling use cases directly. */
    as: (viewer: Viewer): Context => subgraph.context(viewer),
    /** A subgraph's answer to this viewer. */
    ask: (viewer: Viewer, query: string, variables?: Record<string, unknown>): Promise<ExecutionResult> =>
      runner.execute({ query, ...(variables && { variables }) }, viewer),
    async plan(accountId: string, product: ProductCode = 'PREMIUM', bytes = 10n * GB): Promise<Plan> {
      return planNow((await grantPlan(context(), { accountId, product, bytes })).planId);
    },
    /** The plan as it is now. */
    planNow,
    report: (lines: readonly UsageLine[], source = 'network', reportId = `report-${++reports}`) =>
      receiveUsageReport(context(), { source, reportId, lines }),
    line,
    /** Downloaded bytes of a plan, at the clock's time. */
    use(plan: Plan, bytes: bigint, over: Partial<UsageLine> = {}) {
      return this.report([line(plan, { downBytes: bytes, ...over })]);
    },
    events: (subject: string) => eventsOf(platform.database.query, subject),
    async close() {
      await subgraph.close();
      await platform.close();
    },
  };
}

export type ResidentialWorld = Awaited<ReturnType<typeof startResidential>>;

/** The codes of an answer's errors. */
export const codesOf = ({ errors }: ExecutionResult): unknown[] => (errors ?? []).map(({ extensions }) => extensions['code']);
