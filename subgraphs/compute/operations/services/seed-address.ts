// Where a machine's controller fetches the medium of an operation: nobody logs in there, so the address itself is the secret.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ComputeContext } from '../../builder.ts';

export const SEED_PATH = '/machine-seeds/';

const mac = (ctx: ComputeContext, operationId: string): string =>
  createHmac('sha256', ctx.providers.sealing).update(`seed of ${operationId}`).digest('base64url');

export const seedUrl = (ctx: ComputeContext, operationId: string): string =>
  `${ctx.providers.metal?.seedsUrl}${SEED_PATH}${operationId}.${mac(ctx, operationId)}/seed.iso`;

/** The operation of a path that follows SEED_PATH; undefined: we never gave that address. */
export function operationOfSeed(ctx: ComputeContext, path: string): string | undefined {
  const [, operationId = '', given = ''] = /^(op_\w+)\.([\w-]+)\/seed\.iso$/.exec(path) ?? [];
  const [expected, actual] = [Buffer.from(mac(ctx, operationId)), Buffer.from(given)];
  return expected.length === actual.length && timingSafeEqual(expected, actual) ? operationId : undefined;
}
