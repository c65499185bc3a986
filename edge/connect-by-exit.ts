// Connects through one of the exits for generated lines. When an exit fails, a rotating line is tried through another one.
import type { Opened, Way } from './admission.ts';
import { DialError, type Upstream } from './dial.ts';
import { type Exit, placeOf, reaches, takesNames } from './exit.ts';
import type { ExitHealth } from './exit-health.ts';
import type { ExitPools } from './exits.ts';
import { goesAs } from './kept-target.ts';
import type { Picked } from './pick-hints.ts';
import type { PlanMeter } from './plan-meter.ts';
import type { LineTarget } from './protocol/line-username.ts';
import type { ExitName } from './protocol/origin.ts';
import type { WayOut } from './way-out.ts';

export interface ExitChoice extends Pick<WayOut, 'dial' | 'limits'> {
  exits: ExitPools;
  health: ExitHealth;
}

/** The target of a connection: its name, and its addresses if this node has resolved them. */
export interface Destination {
  /** The name, or the address, that the customer asked for. */
  host: string;
  /** Checked by the guard; undefined: use only exits that take names. */
  addresses: readonly string[] | undefined;
  port: number;
}

/**
 * Connects to the first address that the exit can reach, or by name; goes on with `kept` if it leads there. Rejects with the last failure when no other exit may
 * be tried.
 */
export async function connectByExit(
  { exits, health, dial, limits }: ExitChoice,
  meter: PlanMeter,
  target: LineTarget,
  { host, addresses, port }: Destination,
  kept?: Opened,
): Promise<Picked & { upstream: Upstream; name: ExitName; way: Way }> {
  const { planId, product, sessionRenewals: renewals } = meter.facts;
  const except = new Set<Exit>();
  let failed: DialError | undefined;
  for (;;) {
    const picked = await pickNext(() => exits.pick(planId, product, target, { except, addresses, host, renewals }), failed);
    const { exit } = picked;
    const line = exits.lineAt(picked, planId, product, target);
    const place = placeOf(line.target);
    const to = takesNames(exit) ? host : (addresses?.find((candidate) => reaches(exit, candidate)) ?? host);
    const way = { to, port, exit: exit.definition, country: picked.country, session: line.session };
    try {
      const isKept = kept !== undefined && goesAs(kept, way);
      const upstream = isKept ? kept.upstream : await dial(exit, { address: to, port }, limits.connectMs, line);
      if (!isKept) health.worked(exit, place);
      return { ...picked, upstream, way, name: upstream.from === undefined ? exit.name : { id: exit.name.id, address: upstream.from } };
    } catch (error) {
      if (!(error instanceof DialError)) throw error;
      health.faulted(exit, { trouble: error.trouble, host, place, retryAfterMs: error.retryAfterMs, detail: error.detail });
      if (error.trouble === 'policy') exits.avoid(exit, host);
      // Nothing was sent yet: a rotating line may use another exit, a sticky one must not change its exit silently.
      if (!error.movable || target.session !== undefined || except.size >= limits.exitRetries) throw error.failure;
      except.add(exit);
      failed = error;
      if (exits.all.length <= except.size) throw error.failure;
    }
  }
}

/** When no other exit is left, throws the failure of the last one instead of `exit_unavailable`. */
async function pickNext(pick: () => Picked | Promise<Picked>, failed: DialError | undefined): Promise<Picked> {
  try {
    const picked = pick();
    return picked instanceof Promise ? await picked : picked;
  } catch (error) {
    throw failed?.failure ?? error;
  }
}
