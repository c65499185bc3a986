// The reference of REST and MCP, made from the endpoint objects, and the page on limits, units and changes.
import { z } from 'zod';
import { DEFAULT_WEIGHTS } from '../../gateway/graph/cost.ts';
import { LIMITS } from '../../gateway/graph/limits.ts';
import { COST_LIMIT, RATE_LIMIT, RATE_WINDOW_SECONDS } from '../../gateway/http/rate-limit.ts';
import { ERRORS } from '../../schema/codes/catalogue.ts';
import { KEY_LINES_MAX } from '../../schema/limits.ts';
import { type AnyEndpoint, methodOf, successStatusOf } from '../endpoint.ts';
import { docsOf, statusOf, toSuccess } from '../envelope.ts';
import { codesOf } from '../openapi.ts';
import { restParameters } from '../rest.ts';
import { type DocsPage, code, heading, list, paragraph, table } from './page.ts';
import type { TrialInput } from './trial.ts';

interface Property {
  type?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  anyOf?: readonly Property[];
}

const typeOf = ({ type, enum: values, anyOf }: Property): string =>
  values ? values.map((value) => `\`${String(value)}\``).join(' or ') : (type ?? anyOf?.map(typeOf).join(' or ') ?? '');

/** The path of the endpoint's example, with its parameters filled in. */
function examplePath(endpoint: AnyEndpoint): string {
  const given = endpoint.example.input as Record<string, unknown>;
  const parameters = restParameters(endpoint).filter(({ input }) => given[input] !== undefined);
  let { path }: { path: string } = endpoint;
  for (const { name, input, in: place } of parameters) if (place === 'path') path = path.replace(`{${name}}`, String(given[input]));
  const query = new URLSearchParams(
    parameters.filter(({ in: place }) => place === 'query').map(({ name, input }) => [name, String(given[input])]),
  );
  return query.size > 0 ? `${path}?${query}` : path;
}

/** A curl call of an endpoint that is not a GET, with the body of its example. */
function writingSamples(endpoint: AnyEndpoint, publicUrl: string): readonly { language: string; text: string }[] {
  const given = endpoint.example.input as Record<string, unknown>;
  const sent = restParameters(endpoint).filter(({ input }) => given[input] !== undefined);
  const inBody = sent.filter(({ in: place }) => place === 'body');
  const inHeaders = sent.filter(({ in: place }) => place === 'header').map(({ name, input }) => ` -H '${name}: ${String(given[input])}'`);
  const url = `${publicUrl}${examplePath(endpoint)}`;
  const body = inBody.length > 0 ? JSON.stringify(Object.fromEntries(inBody.map(({ name, input }) => [name, given[input]]))) : undefined;
  const data = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${body}'`;
  return [
    { language: 'sh', text: `curl -X ${methodOf(endpoint)} -H "Authorization: Bearer $API_KEY"${inHeaders.join('')}${data} '${url}'` },
  ];
}

/** The same call in five languages; tests run them where the language is installed. */
export function samplesOf(url: string): readonly { language: string; name: string; text: string }[] {
  return [
    { language: 'sh', name: 'curl', text: `curl -H "Authorization: Bearer $API_KEY" '${url}'` },
    {
      language: 'python',
      name: 'Python',
      text: `import json, os, urllib.request\n\nrequest = urllib.request.Request('${url}', headers={'Authorization': 'Bearer ' + os.environ['API_KEY']})\nwith urllib.request.urlopen(request) as answer:\n    print(json.dumps(json.load(answer)['data']))`,
    },
    {
      language: 'js',
      name: 'Node',
      text: `const answer = await fetch('${url}', { headers: { Authorization: \`Bearer \${process.env.API_KEY}\` } });\nconst { data, message } = await answer.json();\nif (!answer.ok) throw new Error(message);\nconsole.log(JSON.stringify(data));`,
    },
    {
      language: 'go',
      name: 'Go',
      text: `package main\n\nimport (\n\t"io"\n\t"net/http"\n\t"os"\n)\n\nfunc main() {\n\trequest, _ := http.NewRequest("GET", "${url}", nil)\n\trequest.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))\n\tanswer, err := http.DefaultClient.Do(request)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tdefer answer.Body.Close()\n\tio.Copy(os.Stdout, answer.Body)\n}`,
    },
    {
      language: 'php',
      name: 'PHP',
      text: `<?php\n$context = stream_context_create(['http' => ['header' => 'Authorization: Bearer ' . getenv('API_KEY')]]);\necho json_encode(json_decode(file_get_contents('${url}', false, $context))->data);`,
    },
  ];
}

function trialInputs(endpoint: AnyEndpoint, properties: Record<string, Property>, required: readonly string[]): TrialInput[] {
  const given = endpoint.example.input as Record<string, unknown>;
  return restParameters(endpoint).map(({ name, input, in: place }) => {
    const { type = '', enum: values = type === 'boolean' ? [true, false] : [] } = properties[input] ?? {};
    const example = given[input];
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(input),
      type,
      values: values.map(String),
      example: example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example),
    };
  });
}

export function endpointPage(endpoint: AnyEndpoint, publicUrl: string): DocsPage {
  const { properties = {}, required = [] } = z.toJSONSchema(endpoint.input, { io: 'input' }) as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  const rows = restParameters(endpoint).map(({ name, input, in: place }) => {
    const property = properties[input] ?? {};
    const mcp = name === input ? '' : ` (MCP: \`${input}\`)`;
    const must = place === 'path' || required.includes(input);
    return [`\`${name}\`${mcp}`, place, typeOf(property), must ? 'yes' : String(property.default ?? ''), property.description ?? ''];
  });
  return {
    path: `/docs/api/${endpoint.tool}`,
    title: endpoint.title,
    summary: endpoint.description,
    blocks: [
      list(`REST: \`${methodOf(endpoint)} ${endpoint.path}\``, `MCP: tool \`${endpoint.tool}\``, `Scope of the key: \`${endpoint.scope}\``),
      ...(rows.length > 0 ? [heading('Parameters'), table(['Name', 'In', 'Type', 'Required, or default', 'Meaning'], rows)] : []),
      heading('Call it'),
      { kind: 'trial', trial: { method: methodOf(endpoint), path: endpoint.path, inputs: trialInputs(endpoint, properties, required) } },
      ...(endpoint.method ? writingSamples(endpoint, publicUrl) : samplesOf(`${publicUrl}${examplePath(endpoint)}`)).map(
        ({ language, text }) => code(language, text),
      ),
      heading('Answer'),
      code('json', JSON.stringify(toSuccess(endpoint.example.data, endpoint.message, successStatusOf(endpoint)), null, 2)),
      heading('Errors'),
      table(
        ['Code', 'Status', 'Meaning'],
        codesOf(endpoint).map((name) => [`[${name}](${docsOf(name)})`, String(statusOf(name)), ERRORS[name].message]),
      ),
    ],
  };
}

export const apiPage = (endpoints: readonly AnyEndpoint[], publicUrl: string): DocsPage => ({
  path: '/docs/api',
  title: 'REST and MCP reference',
  summary: 'Every operation of the API, over REST at `/v1` and as tools for assistants at `/mcp`, with the same key.',
  blocks: [
    heading('Quick start'),
    paragraph('Support issues an API key; it is shown once. Send it with each request:'),
    code('sh', `export API_KEY=<API_KEY>\ncurl -H "Authorization: Bearer $API_KEY" '${publicUrl}/v1/residential'`),
    paragraph(
      'The `product_id` of a plan in that list is what the other residential operations take. A proxy line is `host:port:username:password`: `curl -x http://username:password@host:port https://example.com`.',
    ),
    heading('Operations'),
    table(
      ['Operation', 'REST', 'Tool'],
      endpoints.map(({ title, path, tool, method }) => [
        `[${title}](/docs/api/${tool})`,
        `\`${methodOf({ method })} ${path}\``,
        `\`${tool}\``,
      ]),
    ),
    paragraph('The same operations are tools for [assistants](/docs/assistants) and methods of [the client](/docs/clients).'),
    heading('Machines read'),
    list(
      '[OpenAPI 3.1](/openapi.json)',
      '[llms.txt](/llms.txt), and [all pages in one](/llms-full.txt)',
      'Each page of these documents as Markdown: its path with `.md`',
    ),
  ],
});

export const limitsPage = (): DocsPage => ({
  path: '/docs/limits',
  title: 'Limits, units and changes',
  summary: 'What is counted, in which units figures are, how to try again, and what stays as it is.',
  blocks: [
    table(
      ['Limit', 'Value'],
      [
        ['Requests of a key, over REST, MCP and GraphQL together', `${RATE_LIMIT} in ${RATE_WINDOW_SECONDS} seconds from the first one`],
        [
          'What operations of a key cost, over REST, MCP and GraphQL together',
          `${COST_LIMIT.toLocaleString('en')} in ${RATE_WINDOW_SECONDS} seconds; one operation at most ${LIMITS.cost.toLocaleString('en')}`,
        ],
        ['Proxy lines of one generation', `1 to ${KEY_LINES_MAX.toLocaleString('en')}`],
        ['Page of static plans', '25, at most 100'],
      ],
    ),
    paragraph(
      'Every answer carries `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`; failed requests count too. 429 has `Retry-After`.',
    ),
    heading('Costs'),
    paragraph(
      `An object costs ${DEFAULT_WEIGHTS.object}, a proxy line or another element of a list of values ${DEFAULT_WEIGHTS.listed}, a single value nothing, unless the schema says another weight with \`@cost\`. A list costs as many as its argument asks for, with its default (\`@listSize\`), else ${DEFAULT_WEIGHTS.size}; each alias counts. A mutation costs ${DEFAULT_WEIGHTS.mutation} more. Calls of REST and MCP cost what their operation does: the limit of requests comes first with them.`,
    ),
    paragraph(
      'GraphQL tells it in `extensions.cost`, and every answer in the headers of the IETF draft: `RateLimit: "requests";r=119;t=60, "cost";r=249900;t=60` says what is left (`r`) and for how many seconds (`t`), `RateLimit-Policy` how much there is.',
    ),
    heading('Units'),
    list(
      '1 GB is 10^9 bytes, 1 MB is 10^6. Upload and download are both counted; generating lines costs none.',
      'Days are UTC days, YYYY-MM-DD. `current_period_end` is in unix seconds, amounts are in minor units (cents).',
    ),
    heading('Trying again'),
    paragraph(
      'Reads may be repeated at any time; `If-None-Match` with the `ETag` of an answer gives 304 while nothing has changed. A generation that is repeated makes other lines: both batches work. What begins an operation of a server takes an `Idempotency-Key` of your own choice: the same request with it, within a day, answers with the operation that the first one began; what was refused may be sent with it again. On 429, 500 and 503 wait for `Retry-After`, or a second, doubled each time.',
    ),
    heading('Changes'),
    paragraph(
      '`/v1` only grows. A removal needs `/v2`, and is announced 12 months before with the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). Members that you do not know are to be ignored.',
    ),
  ],
});
