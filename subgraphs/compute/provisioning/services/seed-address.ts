// Where a machine's controller fetches the medium of an operation: nobody logs in there, so the address itself is the secret.
import { isSameText, macOf } from '#platform/mac.ts';
import type { ComputeContext } from '../../builder.ts';

export const SEED_PATH = '/machine-seeds/';

const mac = (ctx: ComputeContext, operationId: string): string => macOf(ctx.providers.sealing, `seed of ${operationId}`);

export const seedUrl = (ctx: ComputeContext, operationId: string): string =>
  `${ctx.providers.metal?.seedsUrl}${SEED_PATH}${operationId}.${mac(ctx, operationId)}/seed.iso`;

/** The operation of a path that follows SEED_PATH; undefined: we never gave that address. */
export function operationOfSeed(ctx: ComputeContext, path: string): string | undefined {
  const [, operationId = '', given = ''] = /^(op_\w+)\.([\w-]+)\/seed\.iso$/.exec(path) ?? [];
  return isSameText(given, mac(ctx, operationId)) ? operationId : undefined;
}
