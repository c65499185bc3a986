// Parses the limits that an operator may set: those that customers meet. Limits on leases and on the feed are not configurable, since the bound on
// over-use depends on them.
import { pairs } from '#platform/config-values.ts';
import type { EdgeLimits } from './limits.ts';

const SETTABLE = [
  'connectionsPerPlan',
  'connectionsPerAddress',
  'handshakesPerAddress',
  'connectionsPerSite',
  'handshakesPerSite',
  'headBytes',
  'headMs',
  'connectMs',
  'idleMs',
  'keepAliveMs',
  'keptMs',
  'exitRetries',
] as const satisfies (keyof EdgeLimits)[];

/** What zero turns off. */
const MAY_BE_ZERO: ReadonlySet<string> = new Set(['keptMs'] satisfies (keyof EdgeLimits)[]);

/** "connectionsPerPlan=5000,idleMs=600000" */
export const limitsSetting = pairs.transform((given, context): Partial<EdgeLimits> => {
  const limits: Partial<Record<keyof EdgeLimits, number>> = {};
  for (const [text, value] of Object.entries(given)) {
    const name = SETTABLE.find((one) => one === text);
    if (!name) context.addIssue({ code: 'custom', message: `${text} is none of ${SETTABLE.join(', ')}` });
    else if (!(MAY_BE_ZERO.has(name) && value === '0') && !/^[1-9]\d{0,8}$/.test(value))
      context.addIssue({ code: 'custom', message: `${text} must be a whole number above zero` });
    else limits[name] = Number(value);
  }
  return limits;
});

export const LIMITS_MEANING = 'limits that customers meet: `connectionsPerPlan=5000,idleMs=600000`; a wrong name is told all names';
