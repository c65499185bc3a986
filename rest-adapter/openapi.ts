// The OpenAPI 3.1 document, made from the endpoint objects.
import { type ErrorCode, fail } from '#platform/errors.ts';
import { SCOPES } from '#platform/identity.ts';
import { ERRORS } from '../schema/codes/catalogue.ts';
import { type AnyEndpoint, type Refusal, methodOf, successStatusOf } from './endpoint.ts';
import { COMMON_CODES, statusOf, toError, toSuccess } from './envelope.ts';
import { answerSchemas, outputNameOf, ref } from './openapi-schemas.ts';
import { WEBHOOKS_TAG, openApiWebhooks } from './openapi-webhooks.ts';
import { type JsonSchema as Json, publishedSchema } from './published-schema.ts';
import { restParameters } from './rest.ts';

const REQUEST_ID = 'req_01jd8x4m2c7n5q9r3t6v8w0y1z';

const header = (description: string, schema: Json) => ({ description, schema });

const HEADERS = {
  'RateLimit-Limit': header('Requests per minute and API key.', { type: 'integer', examples: [120] }),
  'RateLimit-Remaining': header('Requests left in the present window.', { type: 'integer', minimum: 0 }),
  'RateLimit-Reset': header('Whole seconds until the window ends.', { type: 'integer', minimum: 0, maximum: 60 }),
  'RateLimit-Policy': header('The limits themselves: requests, and what operations cost, each in 60 seconds.', { type: 'string' }),
  RateLimit: header('What is left of them, and the seconds until each window ends: `"requests";r=119;t=60, "cost";r=249900;t=60`.', {
    type: 'string',
  }),
  ETag: header('Of the data: If-None-Match with it is answered with 304 while nothing has changed.', { type: 'string' }),
  'Unknown-Parameters': header('Parameters that were given and have no effect, with what may have been meant.', { type: 'string' }),
  Allow: header('The methods that the path takes.', { type: 'string' }),
  'Retry-After': header('Whole seconds to wait.', { type: 'integer', minimum: 0 }),
  'WWW-Authenticate': header('Bearer, and `error="invalid_token"` where a key was given.', { type: 'string' }),
  'X-Request-Id': header('Identifies the request to support.', { type: 'string' }),
};

/** Headers of every response. Spec, Limits. */
const EVERYWHERE = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy', 'RateLimit', 'X-Request-Id'] as const;
const BESIDES: Partial<Record<number, keyof typeof HEADERS>> = {
  200: 'Unknown-Parameters',
  202: 'Unknown-Parameters',
  401: 'WWW-Authenticate',
  405: 'Allow',
  429: 'Retry-After',
  503: 'Retry-After',
};

/** When each status is answered. Spec, Errors. */
const CONDITIONS: Record<number, string> = {
  200: 'Request succeeded.',
  202: 'What was asked for has begun, and goes on.',
  400: 'A parameter is missing or invalid.',
  401: 'Missing, invalid, expired or revoked API key.',
  403: 'The account tied to the key is not allowed to use the API, or the key lacks what `required_scope` names.',
  404: 'The account has no plan for the given product.',
  405: 'The path does not take this method.',
  406: 'None of the media types that Accept names is available.',
  409: 'Not as things stand: message says why.',
  422: 'The idempotency key was used with another request.',
  429: 'Rate limit exceeded; retry after the time given by RateLimit-Reset.',
  500: 'Server-side fault; safe to retry.',
  503: 'Busy, or a part is away; try again after the time given by Retry-After.',
};

const headersOf = (status: number) => {
  const besides = BESIDES[status];
  return Object.fromEntries([...EVERYWHERE, ...(besides ? [besides] : [])].map((name) => [name, ref('headers', name)]));
};

/** All codes that an endpoint can answer, including the common ones. */
export function codesOf(endpoint: AnyEndpoint): ErrorCode[] {
  const refusals = Object.values(endpoint.refusals) as Refusal[];
  const parameters = restParameters(endpoint).some((parameter) => parameter.in !== 'path') ? PARAMETER_CODES : [];
  const body = endpoint.method ? BODY_CODES : [];
  return [...new Set<ErrorCode>([...COMMON_CODES, ...parameters, ...body, ...refusals.map(({ code }) => code), ...endpoint.codes])].sort();
}

const PARAMETER_CODES = ['parameter_invalid', 'parameter_missing', 'parameter_repeated'] as const;
/** A body is read, and must be an object of JSON, also where nothing is expected in it. */
const BODY_CODES = ['parameter_invalid', 'request_too_large'] as const;

function errorResponse(status: number, codes: ErrorCode[]) {
  const example = (code: ErrorCode) => {
    const meta = code === 'rate_limited' ? { retry_after_seconds: 42 } : code === 'overloaded' ? { retry_after_seconds: 1 } : {};
    return [code, { summary: ERRORS[code].message, value: toError(fail(code, meta), REQUEST_ID) }];
  };
  return {
    description: `${CONDITIONS[status] ?? ''} Codes: ${codes.join(', ')}.`,
    headers: headersOf(status),
    content: {
      'application/json': { schema: ref('schemas', 'Error'), examples: Object.fromEntries(codes.map(example)) },
      'application/problem+json': { schema: ref('schemas', 'Problem') },
    },
  };
}

/** The inputs that are sent as a JSON object; undefined when there are none. */
function bodyOf(endpoint: AnyEndpoint, { properties = {}, required = [] }: { properties?: Record<string, Json>; required?: string[] }) {
  const inBody = restParameters(endpoint).filter(({ in: place }) => place === 'body');
  if (inBody.length === 0) return undefined;
  const needed = inBody.filter(({ input }) => required.includes(input)).map(({ name }) => name);
  const example = Object.fromEntries(
    inBody.map(({ name, input }) => [name, (endpoint.example.input as Json)[input]]).filter(([, value]) => value !== undefined),
  );
  const schema = {
    type: 'object',
    properties: Object.fromEntries(inBody.map(({ name, input }) => [name, properties[input]])),
    ...(needed.length > 0 && { required: needed }),
  };
  return { required: needed.length > 0, content: { 'application/json': { schema, example } } };
}

const TAGS = [
  ['/v1/residential', 'Residential'],
  ['/v1/servers', 'Servers'],
  ['/v1/offers', 'Orders'],
  ['/v1/order', 'Orders'],
  ['/v1/events', WEBHOOKS_TAG.name],
  ['/v1/webhooks', WEBHOOKS_TAG.name],
] as const;
const tagOf = ({ path }: AnyEndpoint): string => TAGS.find(([start]) => path.startsWith(start))?.[1] ?? 'Static';

export function successResponse(endpoint: AnyEndpoint) {
  const status = successStatusOf(endpoint);
  return {
    description: CONDITIONS[status],
    headers: { ...headersOf(status), ...(endpoint.readOnly && { ETag: ref('headers', 'ETag') }) },
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['statusCode', 'data', 'message', 'success', 'error'],
          properties: {
            statusCode: { const: status },
            data: ref('schemas', outputNameOf(endpoint)),
            message: { type: 'string' },
            success: { const: true },
            error: { type: 'null' },
          },
        },
        example: toSuccess(endpoint.example.data, endpoint.message, status),
      },
    },
  };
}

function operationOf(endpoint: AnyEndpoint) {
  const input = publishedSchema(endpoint.input, 'input') as { properties?: Record<string, Json>; required?: string[] };
  const byStatus = Map.groupBy(codesOf(endpoint), statusOf);
  const parameters = restParameters(endpoint);
  const body = bodyOf(endpoint, input);
  return {
    operationId: endpoint.tool,
    summary: endpoint.title,
    description: `${endpoint.description} Scope of the key: \`${endpoint.scope}\`.`,
    tags: [tagOf(endpoint)],
    parameters: parameters
      .filter(({ in: place }) => place !== 'body')
      .map(({ name, input: key, in: place }) => {
        const { description, ...schema } = input.properties?.[key] ?? {};
        const required = place === 'path' || input.required?.includes(key) === true;
        const example = (endpoint.example.input as Json)[key];
        return { name, in: place, required, description, schema, ...(example !== undefined && { example }) };
      }),
    ...(body && { requestBody: body }),
    responses: {
      [successStatusOf(endpoint)]: successResponse(endpoint),
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
        code: ref('schemas', 'ErrorCode'),
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
        required_scope: {
          type: 'string',
          enum: SCOPES,
          description: 'What the key would need.',
        },
        faults: { type: 'array', items: { type: 'object' }, description: 'Everything that is wrong, where it is more than one thing.' },
        docs: { type: 'string', description: 'Path of the page about the code.' },
      },
    },
  },
};

/** RFC 9457, for clients that accept `application/problem+json`; the members of `meta` are added to these. */
const PROBLEM_SCHEMA = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string', format: 'uri' },
    code: ref('schemas', 'ErrorCode'),
    request_id: { type: 'string' },
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
        'Residential plans, proxy generation, usage, statistics, static plans, subscriptions and servers. 120 requests per minute and API key. ' +
        '/v1 only grows: a removal needs /v2, and is announced 12 months before with the Deprecation and Sunset headers.',
      contact: { name: brand, url: publicUrl },
      license: { name: 'Proprietary', url: publicUrl },
    },
    servers: [{ url: publicUrl }],
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Residential', description: 'Bandwidth packages: proxy lines on demand, usage and statistics.' },
      { name: 'Static', description: 'ISP and datacenter proxies that are rented by the month.' },
      { name: 'Servers', description: 'VPS and dedicated servers, and what is done to them.' },
      { name: 'Orders', description: 'What a key buys, within the ceiling that support has granted.' },
      WEBHOOKS_TAG,
    ],
    paths: Object.fromEntries(
      [...Map.groupBy(endpoints, ({ path }) => path)].map(([path, of]) => [
        path,
        Object.fromEntries(of.map((endpoint) => [methodOf(endpoint).toLowerCase(), operationOf(endpoint)])),
      ]),
    ),
    webhooks: openApiWebhooks(),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>. Support issues keys.' } },
      headers: HEADERS,
      schemas: {
        ...answerSchemas(endpoints),
        ErrorCode: { type: 'string', enum: [...new Set(endpoints.flatMap(codesOf))].sort(), description: 'Codes are only ever added.' },
        Error: ERROR_SCHEMA,
        Problem: PROBLEM_SCHEMA,
      },
    },
  };
}
