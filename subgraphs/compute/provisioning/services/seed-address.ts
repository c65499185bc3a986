// The URL from which a machine's controller fetches the medium of an operation. Controllers cannot log in there, so the URL itself is the secret.
import { type SigningKeys, isSigned, macOf } from '#platform/mac.ts';
import type { ProvisioningContext } from '../context.ts';

export const SEED_PATH = '/machine-seeds/';

const signed = (operationId: string): string => `seed of ${operationId}`;
function keysOf({ providers: { sealing } }: ProvisioningContext): SigningKeys<Buffer> {
  const [present, ...previous] = sealing;
  return [present.key, ...previous.map(({ key }) => key)];
}

export const seedUrl = (ctx: ProvisioningContext, operationId: string): string =>
  `${ctx.providers.metal?.seedsUrl}${SEED_PATH}${operationId}.${macOf(keysOf(ctx), signed(operationId))}/seed.iso`;

/** The operation of a path that follows SEED_PATH; undefined when its signature is not ours. */
export function operationOfSeed(ctx: ProvisioningContext, path: string): string | undefined {
  const [, operationId = '', given = ''] = /^(op_\w+)\.([\w-]+)\/seed\.iso$/.exec(path) ?? [];
  return isSigned(keysOf(ctx), signed(operationId), given) ? operationId : undefined;
}
