// Documents the GraphQL API for those who build on it: its schema, who may ask for what, what an answer says, and what stays as it is.
import { LIMITS } from '../../gateway/graph/limits.ts';
import { SOCKET_LIMITS } from '../../gateway/graph/graphql-ws.ts';
import { STREAM_LIMITS } from '../../gateway/graph/event-streams.ts';
import { TIERS } from '../../schema/public-sdl.ts';
import { type DocsPage, code, heading, list, paragraph, table } from './page.ts';

/** What each kind of reader sees of the schema. */
const SEEN = {
  customer: 'What a signed-in person may ask for.',
  partner: 'What an API key may ask for.',
  staff: 'All of it; for a session of staff alone.',
} as const satisfies Record<(typeof TIERS)[number], string>;

export const graphqlPage = (publicUrl: string): DocsPage => {
  const at = new URL('/graphql', publicUrl).href;
  return {
    path: '/docs/graphql',
    title: 'GraphQL',
    summary: 'One graph of everything, with subscriptions; the schema says who may ask for a field, and what it costs.',
    blocks: [
      code(
        'sh',
        `curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" ${at} \\\n  -d '{"query":"{ residentialPlans { id status } servers { id name } }"}'`,
      ),
      heading('The schema'),
      table(
        ['Address', 'What it is'],
        TIERS.map((tier) => [`\`/graphql/schema.graphql?tier=${tier}\``, SEEN[tier]]),
      ),
      paragraph('Introspection shows each caller the same. `/graphql` in a browser is an explorer.'),
      heading('Who may ask for what'),
      list(
        '`@requiresScopes(scopes: [["plans"]])`: an API key needs all scopes of one of these lists, a signed-in person none. A refusal says in `extensions.requiredScope` what is missing.',
        '`@session`: for a signed-in person alone. Fields without either are for everybody.',
        'Of a query the rest is answered. Of a mutation nothing runs unless the key may run all of it; a mutation without scopes is not for keys.',
      ),
      heading('Answers'),
      list(
        'Each error has a `path`, and in `extensions` its `code` (a page of `/docs/errors` each), `requestId`, and where they help `field`, `allowed`, `reasonCode`, `retryAfterSeconds`.',
        'Fields of Query with `@semanticNonNull` are null beside an error and never else: a part of the platform that is away empties nothing of another.',
        'With `Accept: application/graphql-response+json` the status says what came of the request; with `application/json` every well-formed one is answered with 200.',
        '`extensions.cost` and the header `RateLimit` say what an operation cost a key and what is left: `/docs/limits`.',
      ),
      heading('Limits of one operation'),
      table(
        ['Limit', 'Value'],
        [
          ['Levels', String(LIMITS.depth)],
          ['Fields, with fragments written out', String(LIMITS.fields)],
          ['Aliases', String(LIMITS.aliases)],
          ['Characters', LIMITS.characters.toLocaleString('en')],
          ['Cost', LIMITS.cost.toLocaleString('en')],
        ],
      ),
      paragraph(
        'A request has one operation: batches are refused (`graphql_batch`), since an operation has room for several fields and is counted once.',
      ),
      heading('Documents by their hash'),
      paragraph(
        'Register what a program asks when it is built, at `/graphql/documents`: up to 100 documents in one request, all or none, each checked against the schema. From then on `{"documentId":"sha256:..."}`, or `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":"..."}}}` of automatic persisted queries, asks one by its hash, on every server. They are the account’s own; Developers lists them and removes them.',
      ),
      code(
        'sh',
        `curl -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" ${at}/documents \\\n  -d '{"documents":["query Plans { residentialPlans { id status } }"]}'`,
      ),
      paragraph(
        'A key that is bound to them (Developers, “Registered documents only”) asks no other document over GraphQL (`document_not_registered`) and registers none; within ten seconds it asks what was removed no more. A document that is only sent once with its hash is known to that server alone, for as long as there is room: `PersistedQueryNotFound` asks for it whole again.',
      ),
      heading('Subscriptions'),
      list(
        `Over WebSocket with the protocol \`graphql-transport-ws\` (graphql-ws): \`connectionParams: { authorization: "Bearer ..." }\`, at most ${SOCKET_LIMITS.subscriptionsPerConnection} subscriptions a connection and ${SOCKET_LIMITS.connectionsPerAccount} connections an account.`,
        `Over Server-Sent Events: POST with \`Accept: text/event-stream\` (graphql-sse, distinct connections), at most ${STREAM_LIMITS.perAccount} streams an account. A query is one event.`,
        'Either ends within a second when its key or session does. `graph_changed` as its last event: the API has changed under it, open it again.',
      ),
      code(
        'sh',
        `curl -N -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -H "Accept: text/event-stream" ${at} \\\n  -d '{"query":"subscription { residentialUsageChanged { planId usedBytes } }"}'`,
      ),
      heading('Changes'),
      paragraph(
        'The schema grows. What is to go is marked `@deprecated` with the date of that and the earliest date of its end, twelve months later or more, and what to ask for instead. A change that can break a client stands in the change log under Breaking, word for word as `findBreakingChanges` of graphql-js says it.',
      ),
      paragraph(
        '[`/graphql/schema/changes`](/graphql/schema/changes) lists what each publication changed and what the graph has beyond the newest, which may still change: breaking, risky (a program may read a value that it does not know), added. JSON, or Markdown with `Accept: text/markdown`; `?tier=` as for the schema.',
      ),
    ],
  };
};
