// Reads the operator's exits from a JSON file:
// [{ "id": "fra-1", "kind": "local", "address": "192.0.2.10", "country": "de", "products": ["PREMIUM"] }, ...]
import { isIP } from 'node:net';
import { z } from 'zod';
import { readOperatorFile } from '#platform/operator-file.ts';
import ipaddr from 'ipaddr.js';
import { country, exitId, gatewayShape, hostName, portNumber } from './protocol/gateway.ts';
import { PRODUCT_CODES } from './protocol/product.ts';
import type { ExitDefinition } from './exit.ts';

const slug = z.string().regex(/^[a-z0-9_]{1,64}$/, 'must be written as usernames carry it, for example new_york');

const place = {
  id: exitId,
  products: z.array(z.enum(PRODUCT_CODES)).min(1),
  country,
  state: slug.optional(),
  city: slug.optional(),
  carrier: z.string().max(64).optional(),
  asn: z.number().int().min(1).max(4_294_967_295).optional(),
  weight: z.number().int().min(1).max(100).optional(),
  capacity: z.number().int().min(1).optional(),
};
/** The machine must accept its addresses: `ip -6 route add local NETWORK dev lo` and `sysctl -w net.ipv6.ip_nonlocal_bind=1`. */
const network = z
  .string()
  .refine(
    (text) => ipaddr.IPv6.isValidCIDR(text) && Number(text.split('/')[1]) >= 32 && Number(text.split('/')[1]) <= 112,
    'must be an IPv6 network of /32 to /112',
  );
const parent = {
  ...place,
  host: hostName,
  port: portNumber,
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
      z.strictObject({ kind: z.literal('network'), ...place, network }),
      z.strictObject({ kind: z.literal('http'), ...parent }),
      z.strictObject({ kind: z.literal('socks5'), ...parent }),
      gatewayShape,
    ]),
  )
  .min(1)
  .refine((exits) => new Set(exits.map(({ id }) => id)).size === exits.length, 'ids must be unique');

/** Throws a StartFailure with one sentence per wrong value. */
export const readExits = (file: string): ExitDefinition[] => readOperatorFile(file, toExits);

function toExits(content: unknown): ExitDefinition[] {
  const result = shape.safeParse(content);
  if (result.success) return result.data;
  throw new Error(
    `The exits are not usable:\n${result.error.issues.map((issue) => `  - ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
  );
}
