// The operator's own names, hardware and prices of dedicated servers over the defaults, from the part `dedicated` of the file that CATALOGUE_FILE names:
// { "dedicated": { "FARADAY": { "name": "Faraday", "cores": 8, "ramGb": 64, "storage": "2 x 1 TB NVMe", "prices": { "1": "89", "3": "84", "6": "79" } } } }
import { z } from 'zod';
import { DEDICATED_PLANS, DEDICATED_PLAN_CODES, type DedicatedPlan } from './dedicated-plan.ts';
import { pricesOf } from './server-price.ts';

const dollars = z.string().regex(/^\d{1,6}(\.\d{1,2})?$/, 'must be dollars with at most two decimals, as a string');
const plan = z.strictObject({
  name: z.string().min(1).max(40).optional(),
  cores: z.int().min(1).max(1_024).optional(),
  ramGb: z.int().min(1).max(65_536).optional(),
  storage: z.string().min(1).max(80).optional(),
  prices: z.strictObject({ 1: dollars, 3: dollars, 6: dollars }).optional(),
});
const catalogue = z.object({
  dedicated: z.strictObject(Object.fromEntries(DEDICATED_PLAN_CODES.map((code) => [code, plan.optional()]))).optional(),
});

/** Throws one Error that names every wrong value. */
export function toDedicatedPlans(file: unknown): readonly DedicatedPlan[] {
  const result = catalogue.safeParse(file);
  if (!result.success)
    throw new Error(
      `The catalogue is not usable:\n${result.error.issues.map(({ path, message }) => `  - ${path.join('.')}: ${message}.`).join('\n')}`,
    );
  return DEDICATED_PLANS.map((standard) => {
    const { name, cores, ramGb, storage, prices } = result.data.dedicated?.[standard.code] ?? {};
    return {
      ...standard,
      ...(name !== undefined && { name }),
      ...(cores !== undefined && { cores }),
      ...(ramGb !== undefined && { ramGb }),
      ...(storage !== undefined && { storage }),
      ...(prices && { prices: pricesOf(prices[1], prices[3], prices[6]) }),
    };
  });
}
