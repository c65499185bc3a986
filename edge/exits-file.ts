// The operator's exits, from a JSON file: [{ "id": "fra-1", "kind": "local", "address": "192.0.2.10", "country": "de", "products": ["PREMIUM"] },
// ...].
import { isIP } from 'node:net';
import { z } from 'zod';
import { readOperatorFile } from '#platform/operator-file.ts';
import { POOLS } from './protocol/pools.ts';
import { PRODUCT_CODES } from './protocol/product.ts';
import type { ExitDefinition } from './exits.ts';

const COUNTRIES = new Set(POOLS.filter(({ kind }) => kind === 'COUNTRY').map(({ code }) => code));
const slug = z.string().regex(/^[a-z0-9_]{1,64}$/, 'must be written as usernames carry it, for example new_york');

const place = {
  id: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  products: z.array(z.enum(PRODUCT_CODES)).min(1),
  country: z.string().refine((code) => COUNTRIES.has(code), 'must be a lower-case ISO 3166 code'),
  state: slug.optional(),
  city: slug.optional(),
  carrier: z.string().max(64).optional(),
  weight: z.number().int().min(1).max(100).optional(),
  capacity: z.number().int().min(1).optional(),
};
const parent = {
  ...place,
  host: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
  username: z.string().max(255).optional(),
  password: z.string().max(255).optional(),
  outwardAddress: z
    .string()
    .refine((address) => isIP(address) !== 0, 'must be the address that targets see')
    .optional(),
};

const shape = z
  .array(
    z.discriminatedUnion('kind', [
      z.strictObject({
        kind: z.literal('local'),
        ...place,
        address: z.string().refine((address) => isIP(address) !== 0, 'must be an address of this machine'),
      }),
      z.strictObject({ kind: z.literal('http'), ...parent }),
      z.strictObject({ kind: z.literal('socks5'), ...parent }),
    ]),
  )
  .min(1)
  .refine((exits) => new Set(exits.map(({ id }) => id)).size === exits.length, 'ids must be unique');

/** Throws a StartFailure with a sentence per wrong value. */
export const readExits = (file: string): ExitDefinition[] => readOperatorFile(file, toExits);

function toExits(content: unknown): ExitDefinition[] {
  const result = shape.safeParse(content);
  if (result.success) return result.data;
  throw new Error(
    `The exits are not usable:\n${result.error.issues.map((issue) => `  - ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
  );
}
