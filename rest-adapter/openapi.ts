// The OpenAPI 3.1 document, made from the endpoint objects: nothing in it is written twice.
import { z } from 'zod';
import { type ErrorCode, fail } from '#platform/errors.ts';
import { ERRORS } from '../schema/codes.ts';
import type { AnyEndpoint, Refusal } from './endpoint.ts';
import { COMMON_CODES, statusOf, toError, toSuccess } from './envelope.ts';
import { restParameters } from './rest.ts';

type Json = Record<string, unknown>;

const REQUEST_ID = 'req_01jd8x4m2c7n5q9r3t6v8w0y1z';

const header = (description: string, schema: Json) => ({ description, schema });

const HEADERS = {
  'RateLimit-Limit': header('Requests per minute and API key.', { type: 'integer', examples: [120] }),
  'RateLimit-Remaining': header('Requests left in the present window.', { type: 'integer', minimum: 0 }),
  'RateLimit-Reset': header('Whole seconds until the window ends.', { type: 'integer', minimum: 0, maximum: 60 }),
  'Retry-After': header('Whole seconds to wait.', { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': header('Bearer, and `error="invalid_token"` where a key was given.', { type: 'string' }),
  'X-Request-Id': header('Identifies the request to support.', { type: 'string' }),
};

/** On every response. Spec, Limits. */
const EVERYWHERE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'X-Request-Id'] as const;
const BESIDES: Partial<Record<number, keyof typeof HEADERS>> = { 401: 'WWW-Authenticate', 429: 'Retry-After', 503: 'Retry-After' };

/** Spec, Errors: the conditions of the statuses. */
const CONDITIONS: Record<number, string> = {
  200: 'Request succeeded.',
  400: 'A parameter is missing or invalid.',
  401: 'Missing, invalid, expired or revoked API key.',
  403: 'The account tied to the key is not allowed to use the API.',
  404: 'The account has no plan for the given product.',
  429: 'Rate limit exceeded; retry after the time given by RateLimit-Reset.',
  500: 'Server-side fault; safe to retry.',
  503: 'Busy, or a part is away; try again after the time given by Retry-After.',
};

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io }) as Json;
  return rest;
};

const headersOf = (status: number) => {
  const besides = BESIDES[status];
  return Object.fromEntries([...EVERYWHERE, ...(besides ? [besides] : [])].map((name) => [name, ref('headers', name)]));
};

/** Every code that an endpoint can answer with, the common ones included. */
export function codesOf(endpoint: AnyEndpoint): ErrorCode[] {
  const refusals = Object.values(endpoint.refusals) as Refusal[];
  const parameters = restParameters(endpoint).some((parameter) => parameter.in === 'query') ? PARAMETER_CODES : [];
  return [...new Set<ErrorCode>([...COMMON_CODES, ...parameters, ...refusals.map(({ code }) => code), ...endpoint.codes])].sort();
}

const PARAMETER_CODES = ['parameter_invalid', 'parameter_missing', 'parameter_repeated'] as const;

function errorResponse(status: number, codes: ErrorCode[]) {
  const example = (code: ErrorCode) => {
    const meta = code === 'rate_limited' ? { retry_after_seconds: 42 } : code === 'overloaded' ? { retry_after_seconds: 1 } : {};
    return [code, { summary: ERRORS[code].message, value: toError(fail(code, meta), REQUEST_ID) }];
  };
  return {
    description: `${CONDITIONS[status] ?? ''} Codes: ${codes.join(', ')}.`,
    headers: headersOf(status),
    content: { 'application/json': { schema: ref('schemas', 'Error'), examples: Object.fromEntries(codes.map(example)) } },
  };
}

function operationOf(endpoint: AnyEndpoint) {
  const input = jsonSchema(endpoint.input, 'input') as { properties?: Record<string, Json>; required?: string[] };
  const byStatus = Map.groupBy(codesOf(endpoint), statusOf);
  return {
    operationId: endpoint.tool,
    summary: endpoint.title,
    description: endpoint.description,
    tags: [endpoint.path.startsWith('/v1/residential') ? 'Residential' : 'Static'],
    parameters: restParameters(endpoint).map(({ name, input: key, in: place }) => {
      const { description, ...schema } = input.properties?.[key] ?? {};
      const required = place === 'path' || input.required?.includes(key) === true;
      const example = (endpoint.example.input as Json)[key];
      return { name, in: place, required, description, schema, ...(example !== undefined && { example }) };
    }),
    responses: {
      200: {
        description: CONDITIONS[200],
        headers: headersOf(200),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['statusCode', 'data', 'message', 'success', 'error'],
              properties: {
                statusCode: { const: 200 },
                data: jsonSchema(endpoint.output, 'output'),
                message: { type: 'string' },
                success: { const: true },
                error: { type: 'null' },
              },
            },
            example: toSuccess(endpoint.example.data, endpoint.message),
          },
        },
      },
      ...Object.fromEntries([...byStatus].sort(([a], [b]) => a - b).map(([status, codes]) => [status, errorResponse(status, codes)])),
    },
  };
}

/** Spec, Errors: the error envelope. */
const ERROR_SCHEMA = {
  type: 'object',
  required: ['statusCode', 'success', 'message', 'meta'],
  properties: {
    statusCode: { type: 'integer' },
    success: { const: false },
    message: { type: 'string', description: 'Human readable.' },
    meta: {
      type: 'object',
      required: ['code', 'request_id'],
      properties: {
        code: { type: 'string', description: 'One of a closed list.' },
        request_id: { type: 'string' },
        field: { type: 'string', description: 'The parameter that is wrong.' },
        allowed: {
          type: 'array',
          items: { type: ['string', 'number'] },
          description: 'Values that would be accepted, or the nearest of them.',
        },
        retryable: { type: 'boolean', description: 'The same request may succeed later.' },
        retry_after_seconds: { type: 'integer' },
        reason_code: { type: 'string', description: 'Why, where message says more than the code does: one of a closed list.' },
        params: {
          type: 'object',
          additionalProperties: { type: ['string', 'number'] },
          description: 'What the sentence of reason_code names, to say it in another language.',
        },
      },
    },
  },
};

export interface OpenApiOptions {
  brand: string;
  version: string;
  publicUrl: string;
}

export function openApiDocument(endpoints: readonly AnyEndpoint[], { brand, version, publicUrl }: OpenApiOptions) {
  return {
    openapi: '3.1.0',
    info: {
      title: `${brand} API`,
      version,
      description:
        'Residential plans, proxy generation, usage, statistics, static plans and subscriptions. 120 requests per minute and API key. ' +
        '/v1 only grows: a removal needs /v2, and is announced 12 months before with the Deprecation and Sunset headers.',
    },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    tags: [{ name: 'Residential' }, { name: 'Static' }],
    paths: Object.fromEntries(endpoints.map((endpoint) => [endpoint.path, { get: operationOf(endpoint) }])),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>. Support issues keys.' } },
      headers: HEADERS,
      schemas: { Error: ERROR_SCHEMA },
    },
  };
}
