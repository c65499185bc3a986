// A page for each error code, from the catalogue: its meaning, the endpoints that answer it, what to do, and an example.
import { type ErrorCode, fail } from '#platform/errors.ts';
import { ERRORS, ERRORS_BY } from '../../schema/codes/catalogue.ts';
import { PROXY_MENDING } from '../../schema/codes/mending.ts';
import { type AnyEndpoint, methodOf } from '../endpoint.ts';
import { docsOf, toError } from '../envelope.ts';
import { codesOf } from '../openapi.ts';
import { type DocsPage, code, heading, list, paragraph, table } from './page.ts';
import { WEBHOOKS } from '../../schema/limits.ts';

const REQUEST_ID = 'req_01jd8x4m2c7n5q9r3t6v8w0y1z';

/** By HTTP status: what the caller can do. */
const MEND: Readonly<Record<number, string>> = {
  400: 'Change the parameter that `meta.field` names. `meta.allowed` lists values that would be accepted, or the nearest ones; `meta.faults` says everything that is wrong.',
  401: 'Send `Authorization: Bearer <API_KEY>` with a whole, current key. Support issues keys; the dashboard lists them under Developers. Trying again does not help.',
  402: 'Something is to be paid first: the dashboard says what, under Billing.',
  403: 'The key is known, but may not do this. Where `meta.required_scope` is present, ask support for a key with that scope.',
  404: 'Look at the id or the path: what belongs to another account is not found either. The plan list has the ids of your plans.',
  405: 'Use one of the methods that the header `Allow` names.',
  406: 'Accept `application/json`.',
  408: 'Send the whole request within seconds: its headers first, then its body, without pauses.',
  409: 'It is not possible in the present state: read the state again, and act on what it is now.',
  413: 'Send less at once.',
  415: 'Send `Content-Type: application/json`.',
  422: 'Use a new idempotency key for a new request; with the same key send the same request.',
  429: 'Wait for the seconds that `Retry-After` gives, then go on. All ways in share one limit: see [limits](/docs/limits).',
  431: 'Send fewer or shorter headers.',
  500: 'It is our fault. The same request may be sent again; if it stays so, give support the `request_id`.',
  503: 'Wait for the seconds that `Retry-After` gives, and send the same request again.',
};

/** By code, where the caller must do something else than for other codes of the same status. */
const MEND_CODE: Partial<Record<ErrorCode, string>> = {
  account_suspended: PROXY_MENDING.account_suspended.en,
  address_not_allowed: 'Send from an address that the key is bound to, or ask support for a key that is bound to another one.',
  api_not_allowed: 'API use is switched off for the account: write to support.',
  graph_changed: 'Open the subscription again: with the same document, or, where that is refused, with one of the schema as it is now.',
  key_expired: 'Ask support for a new key, under Developers in the dashboard. Trying again does not help.',
  key_revoked: 'Use another key of the account, or ask support for a new one, under Developers in the dashboard.',
  pool_unknown: 'Take a name of `GET /v1/residential/{product_id}/locations`, or of `meta.allowed`.',
  plan_expired:
    'All bytes of the package are used: buy a package, and generate with the id of the new plan. Usage and statistics of the old one stay readable.',
  route_not_found: 'Look at the path: `meta.allowed` has the one that was most likely meant, `/openapi.json` all of them.',
  time_not_allowed: 'Take one of the minutes that `meta.allowed` lists; they are those of the product.',
  webhook_event_not_found: `Events are kept for ${WEBHOOKS.keptDays} days: read without \`after\`, which begins with the oldest one that is kept.`,
};

/** Codes that no client of the API can get. */
const INTERNAL: ReadonlySet<string> = new Set(Object.keys(ERRORS_BY.edge));

export const PUBLIC_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((name) => !INTERNAL.has(name)).toSorted();

export function errorPage(name: ErrorCode, endpoints: readonly AnyEndpoint[]): DocsPage {
  const { status, message } = ERRORS[name];
  const of = endpoints.filter((endpoint) => codesOf(endpoint).includes(name));
  const meta = status === 429 || status === 503 ? { retry_after_seconds: 12 } : {};
  return {
    path: docsOf(name),
    title: name,
    summary: message,
    blocks: [
      list(
        `HTTP status: ${status}`,
        'retryable' in ERRORS[name] ? 'The same request may succeed later.' : 'The same request fails again: change it first.',
      ),
      heading('How to mend it'),
      paragraph(MEND_CODE[name] ?? MEND[status] ?? 'Read the message: it says what is wrong.'),
      heading('Where it comes from'),
      of.length > 0
        ? list(
            ...of.map(
              ({ path, tool, title, method }) => `[${title}](/docs/api/${tool}): \`${methodOf({ method })} ${path}\`, tool \`${tool}\``,
            ),
          )
        : paragraph('Operations of the dashboard and of GraphQL (`extensions.code`).'),
      heading('Example'),
      code('json', JSON.stringify(toError(fail(name, meta), REQUEST_ID), null, 2)),
    ],
  };
}

export const errorsPage = (): DocsPage => ({
  path: '/docs/errors',
  title: 'Errors',
  summary:
    'Every code that a failed request may carry, over REST (`meta.code`), MCP (`code`) and GraphQL (`extensions.code`). Codes are only ever added.',
  blocks: [
    paragraph(
      'A failed request has the envelope `{ statusCode, success: false, message, meta }`. `meta` has `code`, `request_id` and `docs`, and where they help `field`, `allowed`, `faults`, `required_scope`, `retryable` and `retry_after_seconds`. With `Accept: application/problem+json` the same comes by RFC 9457.',
    ),
    table(
      ['Code', 'Status', 'Meaning'],
      PUBLIC_CODES.map((name) => [`[${name}](${docsOf(name)})`, String(ERRORS[name].status), ERRORS[name].message]),
    ),
  ],
});
