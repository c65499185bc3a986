import { batched } from '#platform/batched.ts';
import type { ProductCode } from '../../../../edge/protocol/product.ts';
import { REPORT_HOLDS_MS, type ServedPlace, servedPlaces } from '../domain/place-quality.ts';
import { reportedQualities } from '../entities/edge-desk.ts';
import type { Context } from '../context.ts';

/** One read for all products of a request. The key is the time since when reports hold. */
const reported = batched(async (em, keys) => {
  const rows = await reportedQualities(em, new Date(keys.toSorted()[0] as string));
  return keys.map(() => rows);
});

/** How well lines of the product were served within the last hour, by place; only places with connections enough to say so. */
export const readServedPlaces = async ({ em, clock }: Pick<Context, 'em' | 'clock'>, product: ProductCode): Promise<ServedPlace[]> =>
  servedPlaces(await reported(em, new Date(clock.now().getTime() - REPORT_HOLDS_MS).toISOString()), product);
