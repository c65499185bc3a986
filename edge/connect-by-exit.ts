// Connects through one of the exits for generated lines. When an exit fails, a rotating line is tried through another one.
import { DialError, type Upstream } from './dial.ts';
import { type Exit, placeOf, reaches, takesNames } from './exit.ts';
import type { ExitHealth } from './exit-health.ts';
import type { ExitPools, Picked } from './exits.ts';
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

/** Connects to the first address that the exit can reach, or by name. Rejects with the last failure when no other exit may be tried. */
export async function connectByExit(
  { exits, health, dial, limits }: ExitChoice,
  meter: PlanMeter,
  target: LineTarget,
  { host, addresses, port }: Destination,
): Promise<Picked & { upstream: Upstream; name: ExitName }> {
  const { planId, product } = meter.facts;
  const except = new Set<Exit>();
  let failed: DialError | undefined;
  for (;;) {
    const picked = await pickNext(() => exits.pick(planId, product, target, { except, addresses, host }), failed);
    const { exit } = picked;
    const line = exits.lineAt(picked, planId, product, target);
    const place = placeOf(line.target);
    const to = takesNames(exit) ? host : (addresses?.find((candidate) => reaches(exit, candidate)) ?? host);
    try {
      const upstream = await dial(exit, { address: to, port }, limits.connectMs, line);
      health.worked(exit, place);
      return { ...picked, upstream, name: upstream.from === undefined ? exit.name : { id: exit.name.id, address: upstream.from } };
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
