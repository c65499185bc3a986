// Addresses whose tools still use lines from before a reset. Proxy nodes report them; the owner reads them.
import { because, fail } from '#platform/errors.ts';
import type { Plan } from '../domain/plan.ts';
import { type OldPasswordUse, oldPasswordUses } from '../entities/old-password.ts';
import type { Context } from '../context.ts';

const MAX_FIRST = 100;

/** Addresses for a plan that the viewer may see, the latest first. Throws `parameter_invalid`. */
export function listOldPasswordUses({ em }: Context, { id }: Pick<Plan, 'id'>, first: number): Promise<OldPasswordUse[]> {
  if (first < 1 || first > MAX_FIRST)
    throw fail('parameter_invalid', { field: 'first', reason: because('number_out_of_range', { name: 'first', max: MAX_FIRST }) });
  return oldPasswordUses(em, id, first);
}
