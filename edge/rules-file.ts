// Reads the operator's rules on targets from a JSON file:
// { "forbiddenNetworks": ["198.51.100.0/24"], "products": { "MOBILE": { "ports": [80, 443], "forbiddenNames": ["example.org"] } } }
import { z } from 'zod';
import { isNetwork } from '#platform/address-group.ts';
import { readOperatorFile } from '#platform/operator-file.ts';
import { PRODUCT_CODES } from './protocol/product.ts';
import type { TargetPolicy } from './target-guard.ts';

/** An address or CIDR. */
export const network = z.string().refine(isNetwork, 'must be an address, or a network such as 198.51.100.0/24');
/** Files and URLs, separated by commas. */
export const blocklists = z.string().transform((text) =>
  text
    .split(',')
    .map((place) => place.trim())
    .filter(Boolean),
);
export const BLOCKLISTS_MEANING =
  'files and URLs of block lists, separated by commas: what no line may reach, read again when they change (docs/exits.md)';
const ports = z.array(z.number().int().min(1).max(65_535));
const name = z.string().regex(/^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$/, 'must be a name in small letters, without a dot at its end');

const product = z.strictObject({ ports: ports.optional(), forbiddenPorts: ports.optional(), forbiddenNames: z.array(name).optional() });
const shape = z.strictObject({
  forbiddenNetworks: z.array(network).optional(),
  forbiddenPorts: ports.optional(),
  products: z.partialRecord(z.enum([...PRODUCT_CODES, 'STATIC']), product).optional(),
});

/** Throws a StartFailure with one sentence per wrong value. */
export const readRules = (file: string): TargetPolicy => readOperatorFile(file, toRules);

function toRules(content: unknown): TargetPolicy {
  const result = shape.safeParse(content);
  if (result.success) return result.data;
  throw new Error(
    `The rules are not usable:\n${result.error.issues.map((issue) => `  - ${issue.path.join('.')}: ${issue.message}`).join('\n')}`,
  );
}
