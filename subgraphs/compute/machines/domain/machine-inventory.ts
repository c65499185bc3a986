// Reads the inventory of dedicated machines: a JSON list. Every invalid value is reported, so that all can be corrected at once.
import { z } from 'zod';
import { DEDICATED_PLAN_CODES } from '../../catalogue/domain/dedicated-plan.ts';

const machine = z
  .strictObject({
    /** The label on the rack. */
    name: z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/, 'must be letters, digits, dots and hyphens'),
    plan: z.enum(DEDICATED_PLAN_CODES),
    ip: z.ipv4('must be an IPv4 address'),
    prefixLength: z.int().min(8).max(32),
    gateway: z.ipv4('must be an IPv4 address'),
    mac: z
      .string()
      .regex(/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i, 'must be six pairs of hexadecimal digits')
      .optional(),
    /** Absent: the machine is delivered by hand. */
    controller: z
      .strictObject({
        url: z.url({ protocol: /^https?$/, error: 'must be a URL' }).transform((value) => value.replace(/\/$/, '')),
        system: z.string().min(1).max(100),
        username: z.string().min(1).max(100),
        password: z.string().min(1).max(200),
      })
      .optional(),
  })
  .refine(({ ip, gateway }) => ip !== gateway, { path: ['gateway'], message: 'is the machine itself' });

export type MachineEntry = z.output<typeof machine>;

/** Reads a whole list; if there is any problem, nothing of it must be used. */
export function parseMachines(list: unknown): { machines: MachineEntry[]; problems: string[] } {
  const result = z.array(machine).min(1).max(10_000).safeParse(list);
  if (!result.success)
    return {
      machines: [],
      problems: result.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)),
    };
  const problems: string[] = [];
  for (const key of ['name', 'ip'] as const) {
    const seen = new Set<string>();
    for (const { [key]: value } of result.data) {
      if (seen.has(value)) problems.push(`${key} ${value} stands there twice`);
      seen.add(value);
    }
  }
  return { machines: result.data, problems };
}
