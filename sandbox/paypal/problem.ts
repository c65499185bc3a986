// Errors in PayPal's form: name, message, debug_id, details[]. https://developer.paypal.com/api/rest/responses/
import { randomBytes } from 'node:crypto';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import { Problem } from '../problem.ts';

interface Detail {
  issue: string;
  field?: string;
  description?: string;
}

function problem(status: ContentfulStatusCode, name: string, message: string, details: Detail[] = []): Problem {
  const debug_id = randomBytes(7).toString('hex').slice(0, 13);
  return new Problem(status, {
    name,
    message,
    debug_id,
    details: details.map((detail) => ({ description: detail.issue, ...detail })),
    links: [],
  });
}

export const invalid = (details: Detail[]): Problem =>
  problem(400, 'INVALID_REQUEST', 'Request is not well-formed, syntactically incorrect, or violates schema.', details);
export const unprocessable = (issue: string, field?: string): Problem =>
  problem(
    422,
    'UNPROCESSABLE_ENTITY',
    'The requested action could not be performed, semantically incorrect, or failed business validation.',
    [{ issue, ...(field !== undefined && { field }) }],
  );
export const noSuchResource = (): Problem =>
  problem(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.', [{ issue: 'INVALID_RESOURCE_ID' }]);
/** https://developer.paypal.com/api/rest/responses/: 403 for what the app has no permission for. */
export const notPermitted = (): Problem =>
  problem(403, 'NOT_AUTHORIZED', 'Authorization failed due to insufficient permissions.', [
    { issue: 'PERMISSION_DENIED', description: 'You do not have permission to access or perform operations on this resource.' },
  ]);
export const inProgress = (): Problem =>
  problem(409, 'RESOURCE_CONFLICT', 'The server has detected a conflict while processing this request.', [
    { issue: 'PREVIOUS_REQUEST_IN_PROGRESS' },
  ]);
export const tooMany = (): Problem => problem(429, 'RATE_LIMIT_REACHED', 'Too many requests. Blocked due to rate limiting.');
export const outage = (): Problem => problem(500, 'INTERNAL_SERVER_ERROR', 'An internal server error has occurred.');
/** In OAuth's own form. https://developer.paypal.com/api/rest/authentication/ */
export const badClient = (): Problem => new Problem(401, { error: 'invalid_client', error_description: 'Client Authentication failed' });
export const badToken = (): Problem =>
  new Problem(401, { error: 'invalid_token', error_description: 'Token signature verification failed' });
export const badGrant = (): Problem => new Problem(400, { error: 'unsupported_grant_type', error_description: 'unsupported grant_type' });

/** Parses by a schema; throws its errors as PayPal's issues. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(
    result.error.issues.flatMap((found): Detail[] => {
      const field = `/${found.path.join('/')}`;
      if (found.code === 'unrecognized_keys')
        return found.keys.map((key) => ({
          issue: 'NOT_SUPPORTED',
          field: `${field}/${key}`,
          description: 'The sandbox does not know this field.',
        }));
      const isMissing = found.code === 'invalid_type' && found.message.includes('undefined');
      const issue = isMissing
        ? 'MISSING_REQUIRED_PARAMETER'
        : found.code === 'too_big'
          ? 'INVALID_STRING_LENGTH'
          : 'INVALID_PARAMETER_VALUE';
      return [{ issue, field, description: found.message }];
    }),
  );
}
