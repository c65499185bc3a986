// Parsers for the values of variables: each kind is parsed once here, and refused with a sentence.
import { isIP } from 'node:net';
import { z } from 'zod';
import { isNetwork } from './address-group.ts';

export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const port = z.coerce.number().int().min(0).max(65_535);
/** "0,1,3,5"; empty: none. */
export const days = z
  .string()
  .regex(/^(\d{1,2}(,\d{1,2})*)?$/, 'must be numbers of days, separated by commas')
  .transform((value) => value.split(',').filter(Boolean).map(Number));
export const count = (minimum: number) => z.coerce.number().int().min(minimum);
export const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)) && URL.canParse(value),
      `must be a URL that starts with ${schemes.join(':// or ')}://`,
    );

/** "0.0.0.0:7777,[::]:7778" */
export const endpoints = z.string().transform((text, context): { address: string; port: number }[] =>
  text.split(',').map((entry) => {
    const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry.trim());
    const address = match?.[1] ?? match?.[2] ?? '';
    if (isIP(address) === 0 || Number(match?.[3]) > 65_535) context.addIssue({ code: 'custom', message: `${entry} is not address:port` });
    return { address, port: Number(match?.[3]) };
  }),
);

/** "http://10.0.0.5:4000,http://10.0.0.6:4000" */
export const urls = (...schemes: string[]) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    )
    .pipe(z.array(url(...schemes)).min(1, 'must be one URL or several, separated by commas'));

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
