// How the values of variables are written: each kind is read here, once, and refused with a sentence.
import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { isNetwork } from './ip-network.ts';

/** A network that may report usage. */
export interface UsageSource {
  secret: string;
  /** Residential products that it may report for, as the graph names them; none given: all. */
  products?: readonly string[];
}
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const port = z.coerce.number().int().min(0).max(65_535);
export const count = (minimum: number) => z.coerce.number().int().min(minimum);
export const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)) && URL.canParse(value),
      `must be a URL that starts with ${schemes.join(':// or ')}://`,
    );

/** "name=secret,name=secret" */
export const pairs = z.string().transform((value, context) => {
  const entries = value
    .split(',')
    .filter(Boolean)
    .map((pair) => pair.split(/=(.*)/s).slice(0, 2) as [string, string | undefined]);
  if (entries.some(([name, secret]) => !name || !secret))
    context.addIssue({ code: 'custom', message: 'must be name=value pairs, separated by commas' });
  return Object.fromEntries(entries) as Record<string, string>;
});

/** "name=secret,name[PREMIUM+MOBILE]=secret": networks, their secrets, and the products that they may report for; none: all. */
export const usageSources = pairs.transform((sources, context) =>
  Object.fromEntries(
    Object.entries(sources).map(([written, secret]): [string, UsageSource] => {
      const [, name = '', products] = /^([^[\]]+)(?:\[([A-Z_]+(?:\+[A-Z_]+)*)\])?$/.exec(written) ?? [];
      if (!name)
        context.addIssue({ code: 'custom', message: 'must be name=secret pairs, or name[PREMIUM+MOBILE]=secret for these products alone' });
      return [name, { secret, ...(products !== undefined && { products: products.split('+') }) }];
    }),
  ),
);

/** "DE=19,FR=20": percent with up to two decimals, kept as basis points. */
export const taxRates = pairs.transform((rates, context) =>
  Object.fromEntries(
    Object.entries(rates).map(([country, percent]) => {
      if (!/^[A-Z]{2}$/.test(country) || !/^\d{1,2}(\.\d{1,2})?$/.test(percent))
        context.addIssue({ code: 'custom', message: 'must be COUNTRY=percent pairs such as DE=19,FR=20' });
      return [country, Math.round(Number(percent) * 100)];
    }),
  ),
);

/** "203.0.113.10-203.0.113.250/24" */
export const addressRange = z.string().transform((value, context) => {
  const [, first = '', last = '', bits = ''] = /^([\d.]+)-([\d.]+)\/(\d{1,2})$/.exec(value) ?? [];
  if (!isIPv4(first) || !isIPv4(last) || Number(bits) < 8 || Number(bits) > 32)
    context.addIssue({ code: 'custom', message: 'must be FIRST-LAST/BITS such as 203.0.113.10-203.0.113.250/24' });
  return { first, last, bits: Number(bits) };
});

/** "snippets:/mnt/pve/shared/snippets" */
export const snippets = z.string().transform((value, context) => {
  const [, storage = '', directory = ''] = /^([\w-]+):(\/.+)$/.exec(value) ?? [];
  if (!storage) context.addIssue({ code: 'custom', message: 'must be STORAGE:FOLDER such as shared:/mnt/pve/shared/snippets' });
  return { storage, directory };
});

/** "10.20.0.0/16,203.0.113.9" */
export const networks = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean),
  )
  .refine((entries) => entries.every(isNetwork), 'must be addresses or networks such as 203.0.113.0/24, separated by commas');

export const addressLines = z
  .string()
  .transform((value) =>
    value
      .split(';')
      .map((line) => line.trim())
      .filter(Boolean),
  )
  .refine((lines) => lines.length > 0 && lines.length <= 5, 'must be one to five lines, separated by semicolons');
