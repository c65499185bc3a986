// The use of a VPS, live and in the past. Nothing of it is stored here: the hypervisor has the history.
import { fail } from '#platform/errors.ts';
import { liveIterator } from '#platform/live-iterator.ts';
import type { MetricsContext } from '../context.ts';
import { vpsHardware } from '../../catalogue/domain/vps-plan.ts';
import type { ServerRow } from '../../servers/entities/server.ts';
import { HypervisorTrouble, type UseSpan } from '../../machines/providers/hypervisor.ts';
import type { LiveUse } from '../providers/live-use.ts';
import { machineName } from '../../machines/services/vps-machine.ts';

const GB = 1_073_741_824;

/** Yields the server's use after each read, beginning with the last known one. */
export function watchMetrics(ctx: MetricsContext, server: ServerRow): AsyncIterableIterator<LiveUse> {
  const { datacenter } = ctx.providers;
  if (!datacenter) throw fail('servers_not_sold');
  return liveIterator<LiveUse>((push) => datacenter.use.watch(machineName(server), push), { key: () => 'newest', signal: ctx.signal });
}

/** Points of the last hour, day or week, the oldest first. Errors: datacenter_silent. */
export async function historyOf(ctx: MetricsContext, { node, machineNumber, planCode }: ServerRow, span: UseSpan): Promise<LiveUse[]> {
  const { datacenter } = ctx.providers;
  if (!datacenter || node === null || machineNumber === null) return [];
  try {
    const points = await datacenter.hypervisor.history({ node, number: machineNumber }, span);
    return points.map((point) => ({ ...point, memoryTotalBytes: (vpsHardware(planCode)?.ramGb ?? 0) * GB }));
  } catch (error) {
    if (error instanceof HypervisorTrouble) throw fail('datacenter_silent', { retry_after_seconds: 5 });
    throw error;
  }
}
