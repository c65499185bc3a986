// A seller's gateway as an exit: one address and one account; the seller chooses among its own exits by what the log-in says.
import { isIP } from 'node:net';
import { z } from 'zod';
import { type PlaceNames, readTemplate } from './login-template.ts';
import { POOLS } from './pools.ts';
import { PRODUCT_CODES, type ProductCode } from './product.ts';

/** A site that tells an exit's place, to check whether the seller gives the place that was asked for. */
export interface PlaceCheck {
  host: string;
  port: number;
  path: string;
  /** The JSON member with the ISO 3166 code. */
  field: string;
}

/** What this gateway's statuses mean where they differ from the usual meaning, see `parent-answer.ts`. */
export const ANSWER_MEANINGS = ['target', 'policy', 'busy', 'account', 'place', 'exit'] as const;

export interface GatewayDefinition {
  kind: 'gateway';
  id: string;
  products: readonly ProductCode[];
  protocol: 'http' | 'socks5';
  host: string;
  port: number;
  /** Templates, see `login-template.ts`. */
  username: string;
  password: string;
  /** Lower-case ISO 3166 codes, or `*` for all countries. */
  countries: '*' | readonly string[];
  names?: PlaceNames | undefined;
  /** Who resolves the names of targets: the seller, or this node, which then passes on a checked address. */
  resolve: 'exit' | 'node';
  /** The longest session of the seller: lines with a longer one do not use this gateway. */
  maxSessionMinutes?: number | undefined;
  minSessionMinutes?: number | undefined;
  carrier?: string | undefined;
  weight?: number | undefined;
  capacity?: number | undefined;
  check?: PlaceCheck | undefined;
  /** HTTP status -> meaning. */
  answers?: Readonly<Record<string, (typeof ANSWER_MEANINGS)[number]>> | undefined;
}

const COUNTRIES = new Set(POOLS.filter(({ kind }) => kind === 'COUNTRY').map(({ code }) => code));
export const country = z.string().refine((code) => COUNTRIES.has(code), 'must be a lower-case ISO 3166 code');
export const exitId = z.string().regex(/^[A-Za-z0-9._-]{1,64}$/);
export const hostName = z
  .string()
  .max(253)
  .refine((host) => isIP(host) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host), 'must be a host name or an address');
export const portNumber = z.number().int().min(1).max(65_535);

/** RFC 1929 has one byte for the length; the values of variables are short. */
const template = z
  .string()
  .max(255)
  .superRefine((text, context) => {
    try {
      readTemplate(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message });
    }
  });
const words = z.record(z.string().max(130), z.string().max(128).nullable());

export const gatewayShape = z.strictObject({
  kind: z.literal('gateway'),
  id: exitId,
  products: z.array(z.enum(PRODUCT_CODES)).min(1),
  protocol: z.enum(['http', 'socks5']).default('http'),
  host: hostName,
  port: portNumber,
  username: template,
  password: template,
  countries: z.union([z.literal('*'), z.array(country).min(1)]).default('*'),
  names: z.strictObject({ country: words.optional(), state: words.optional(), city: words.optional() }).optional(),
  resolve: z.enum(['exit', 'node']).default('exit'),
  maxSessionMinutes: z.number().int().min(1).max(10_080).optional(),
  minSessionMinutes: z.number().int().min(1).max(10_080).optional(),
  carrier: z.string().max(64).optional(),
  weight: z.number().int().min(1).max(100).optional(),
  capacity: z.number().int().min(1).optional(),
  check: z
    .strictObject({
      host: hostName,
      port: portNumber.default(80),
      path: z
        .string()
        .regex(/^\/[\x21-\x7e]*$/)
        .max(200)
        .default('/'),
      field: z.string().min(1).max(64).default('country'),
    })
    .optional(),
  answers: z.record(z.string().regex(/^[3-5]\d\d$/), z.enum(ANSWER_MEANINGS)).optional(),
}) satisfies z.ZodType<GatewayDefinition>;
