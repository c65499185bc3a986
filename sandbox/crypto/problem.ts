// Errors: { code, message }, or a list of { path, message } for a body that is not valid.
import type { z } from 'zod';
import { Problem } from '../problem.ts';

export const unauthenticated = (): Problem =>
  new Problem(401, { code: 'unauthenticated', message: 'Authentication is required for accessing this endpoint' });
/** For another store than the key's, the processor does not reveal whether it exists. */
export const forbidden = (permission: string): Problem =>
  new Problem(403, {
    code: 'missing-permission',
    message: `Insufficient API Permissions. Please use an API key with permission "${permission}"`,
    missingPermission: permission,
  });
export const noSuchInvoice = (): Problem => new Problem(404, { code: 'invoice-not-found', message: 'The invoice was not found' });
export const noSuchWebhook = (): Problem => new Problem(404, { code: 'webhook-not-found', message: 'The webhook was not found' });
export const noSuchDelivery = (): Problem => new Problem(404, { code: 'webhookdelivery-not-found', message: 'The delivery was not found' });
export const noSuchPath = (): Problem => new Problem(404, { code: 'not-found', message: 'The sandbox does not know this endpoint' });
export const badJson = (): Problem => new Problem(400, { code: 'invalid-json', message: 'The body is not JSON' });
export const tooMany = (): Problem => new Problem(429, { code: 'too-many-requests', message: 'Too many requests, try again later' });
export const outage = (): Problem => new Problem(500, { code: 'generic-error', message: 'An unknown error occurred' });

/** The processor answers 422 to a body that is not valid. */
export const misfit = (issues: { path: string; message: string }[]): Problem => new Problem(422, issues);

export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw misfit(
    result.error.issues.flatMap((issue) => {
      const path = issue.path.join('.');
      if (issue.code !== 'unrecognized_keys') return [{ path, message: issue.message }];
      return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'The sandbox does not know this field.' }));
    }),
  );
}
