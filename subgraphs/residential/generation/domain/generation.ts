// The rules of one generation: the number of lines, the lifetime of sessions, the place of the exits.
import type { LineProtocol } from '#lines/line-protocol.ts';
import { because, fail } from '#platform/errors.ts';
import type { Viewer } from '#platform/identity.ts';
import { KEY_LINES_MAX } from '../../../../schema/limits.ts';
import { type Product, formSessionMinutes } from '../../plans/domain/products.ts';
import { type Target, type TargetingInput, toTarget } from './targeting.ts';

export const SESSION_KINDS = ['STICKY', 'ROTATING'] as const;
type SessionKind = (typeof SESSION_KINDS)[number];

export interface GenerateInput {
  targeting: TargetingInput;
  session: SessionKind;
  sessionMinutes: number;
  protocol: LineProtocol;
  quantity: number;
}

/** A valid input. It is stored with its batch; the lines depend on it, the plan and the seed, and on nothing else. */
export interface Generation {
  target: Target;
  session: SessionKind;
  sessionMinutes: number;
  protocol: LineProtocol;
}

type Caller = Viewer['kind'];

/** Spec, Limits: up to 5,000 per batch in the dashboard's form. */
export const FORM_LINES_MAX = 5_000;
/** Spec, Limits: proxies per generation call 1 to 10,000 by API. */
const MAX_LINES: Partial<Record<Caller, number>> = { key: KEY_LINES_MAX, session: FORM_LINES_MAX };

/** Throws `quantity_invalid`, `time_not_allowed`, or what `toTarget` throws. */
export function checkGeneration(input: GenerateInput, product: Product, caller: Caller): Generation {
  const max = MAX_LINES[caller] ?? 0;
  if (input.quantity < 1 || input.quantity > max) {
    throw fail('quantity_invalid', { field: 'quantity', reason: because('number_out_of_range', { name: 'quantity', max }) });
  }
  // Checked for rotating lines too. Spec is silent: a given time has no effect there but must be in the list.
  const allowed = caller === 'session' ? formSessionMinutes(product) : product.sessionMinutes;
  if (!allowed.includes(input.sessionMinutes)) {
    const reason = because('session_time_unfit', { allowed: allowed.join(', '), product: product.name });
    throw fail('time_not_allowed', { field: 'time', allowed, reason });
  }
  return { target: toTarget(input.targeting), session: input.session, sessionMinutes: input.sessionMinutes, protocol: input.protocol };
}
