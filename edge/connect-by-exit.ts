// A connection by one of the exits of generated lines: by another one where the first is at fault and the line may move.
import { fail } from '#platform/errors.ts';
import { DialError, type Upstream } from './dial.ts';
import type { ExitHealth } from './exit-health.ts';
import { type Exit, type ExitPools, reaches } from './exits.ts';
import type { PlanMeter } from './plan-meter.ts';
import type { LineTarget } from './protocol/line-username.ts';
import type { WayOut } from './way-out.ts';

export interface ExitChoice extends Pick<WayOut, 'dial' | 'limits'> {
  exits: ExitPools;
  health: ExitHealth;
}

/** To the first of `addresses` that the exit reaches. Throws why not, once no further exit may be tried. */
export async function connectByExit(
  { exits, health, dial, limits }: ExitChoice,
  meter: PlanMeter,
  target: LineTarget,
  addresses: readonly string[],
  port: number,
): Promise<{ upstream: Upstream; exit: Exit }> {
  const failed = new Set<Exit>();
  for (;;) {
    const picked = exits.pick(meter.facts.planId, meter.facts.product, target, failed);
    const exit = picked instanceof Promise ? await picked : picked;
    const address = addresses.find((candidate) => reaches(exit, candidate));
    try {
      if (address === undefined) throw new DialError(fail('exit_unavailable'), true);
      const upstream = await dial(exit, { address, port }, limits.connectMs);
      health.worked(exit);
      return { upstream, exit };
    } catch (error) {
      if (!(error instanceof DialError)) throw error;
      if (error.exitFault && address !== undefined) health.faulted(exit);
      // Nothing was sent yet: a rotating line may leave from elsewhere, a sticky one never moves silently.
      if (!error.exitFault || target.session !== undefined || failed.size >= limits.exitRetries) throw error.failure;
      failed.add(exit);
      if (exits.all.length <= failed.size) throw error.failure;
    }
  }
}
