// The files of `client/printed/`, made from the OpenAPI document, which is made from the endpoint objects: types of inputs and answers, and a method for each.
import type { AnyEndpoint } from './endpoint.ts';
import { openApiDocument, type successResponse } from './openapi.ts';
import type { JsonSchema } from './published-schema.ts';
import { type Property, comment, nameIn, objectText, propertiesOf } from './typescript-text.ts';

const HEAD = '// Printed by `npm run client` from the endpoint objects; not edited by hand.\n';

type Document = ReturnType<typeof openApiDocument>;
type Parameter = { name: string; in: string; required: boolean; description?: string; schema: JsonSchema };

/** An operation of the document, with what its text is made of. */
interface Operation {
  operationId: string;
  description: string;
  method: string;
  path: string;
  inputs: Property[];
  /** Whether it takes an idempotency key. The client sends one with each call, so that it can make the call again. */
  idempotent: boolean;
  /** The name of the schema of its data. */
  data: string;
}

const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
/** `list_events` and `residential-users` become `listEvents` and `residentialUsers`. */
const camel = (text: string): string => text.replaceAll(/[_-]([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Parts of a first segment that have a file of their own, since there are many operations. */
const PARTS = [
  ['lines', /\/lines(\/|$)/],
  ['users', /\/users(\/|$)/],
  ['networks', /\/(networks|log-in)(\/|$)/],
  ['requests', /\/(requests|request-log)$/],
  ['top-ups', /\/(top-ups|auto-top-up|alerts)(\/|$)/],
  ['operations', /\/(operations|actions)(\/|$)/],
] as const;

/** The file of a path: its first segment, and perhaps a part of it. */
const groupOf = (path: string): string => {
  const [, , first = ''] = path.split('/');
  const [part] = PARTS.find(([, pattern]) => pattern.test(path)) ?? [];
  return part === undefined ? first : `${first}-${part}`;
};

function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, description, parameters, requestBody, responses }]) => {
      const body = propertiesOf(requestBody?.content['application/json'].schema ?? {});
      const idempotent = (parameters as Parameter[]).some(({ name }) => name === 'Idempotency-Key');
      const inAddress = (parameters as Parameter[]).filter(({ in: place }) => place !== 'header');
      const named = inAddress.map(({ name, required, description: says, schema }) => ({
        name,
        required,
        schema: { ...schema, ...(says !== undefined && { description: says }) },
      }));
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1] as ReturnType<typeof successResponse>;
      const { $ref } = success.content['application/json'].schema.properties.data;
      const data = nameIn($ref);
      return { operationId, description, method: method.toUpperCase(), path, inputs: [...named, ...body], idempotent, data };
    }),
  );
}

/** How a list is read to its end, where it has pages: by their number, by `next`, or by the id of the last item. */
function pagingOf({ inputs }: Operation, data: JsonSchema, schemas: Record<string, JsonSchema>) {
  const properties = propertiesOf(data);
  const list = properties.find(({ schema }) => schema['type'] === 'array' && '$ref' in (schema['items'] as object));
  const takes = (name: string) => inputs.some((input) => input.name === name);
  const tells = (name: string) => properties.some((property) => property.name === name);
  const how = takes('page') && tells('totalPages') ? 'page' : takes('after') ? (tells('next') ? 'next' : 'last') : undefined;
  if (!list || how === undefined) return undefined;
  const item = nameIn((list.schema['items'] as JsonSchema)['$ref']);
  return { how, list: list.name, item, id: propertiesOf(schemas[item] ?? {})[0]?.name ?? '' };
}

function methodsText(operation: Operation, schemas: Record<string, JsonSchema>): string {
  const { operationId, description, method, path, inputs, idempotent, data } = operation;
  const name = camel(operationId);
  const input = `input: ${upper(name)}Input${inputs.some(({ required }) => required) ? '' : ' = {}'}`;
  const address = `{ method: '${method}', path: '${path}'${idempotent ? ', idempotent: true' : ''} }`;
  const own =
    comment(description, '  ') +
    `  ${name}: (${input}, options?: CallOptions): Promise<${data}> =>\n    call<${data}>(${address}, input, options),\n`;
  const paging = pagingOf(operation, schemas[data] ?? {}, schemas);
  if (!paging) return own;
  const { how, list, item, id } = paging;
  const pages = `{ by: '${how}', list: '${list}'${how === 'last' ? `, id: '${id}'` : ''} }`;
  return (
    own +
    comment(`All that \`${name}\` has, page after page.`, '  ') +
    `  each${item}: (${input}, options?: CallOptions): AsyncGenerator<${item}> =>\n` +
    `    eachItem<${item}>(\n      call, ${address},\n      ${pages}, input, options,\n    ),\n`
  );
}

function groupText(group: string, operations: readonly Operation[], schemas: Record<string, JsonSchema>, homes: Homes): string {
  const named = namesFor(operations, schemas);
  const types = named
    .filter((name) => homes.get(name) === group)
    .map((name) => `export interface ${name} ${objectText(propertiesOf(schemas[name] ?? {}))}\n`);
  const inputs = operations.map(({ operationId, inputs: own }) => {
    const name = `${upper(camel(operationId))}Input`;
    if (own.length === 0) return `export type ${name} = Record<string, never>;\n`;
    return `export interface ${name} ${objectText(own)}\n`;
  });
  const methods = operations.map((operation) => methodsText(operation, schemas)).join('\n');
  const pages = methods.includes('eachItem<') ? `import { eachItem } from '../paging.ts';\n` : '';
  const elsewhere = Map.groupBy(
    named.filter((name) => homes.get(name) !== group),
    (name) => homes.get(name),
  );
  const borrowed = [...elsewhere].map(([home, names]) => `import type { ${names.toSorted().join(', ')} } from './${home}.ts';\n`);
  return [
    `${HEAD}import type { Call, CallOptions } from '../call.ts';\n${pages}${borrowed.join('')}`,
    ...types,
    ...inputs,
    `export const ${camel(group)}Methods = (call: Call) => ({\n${methods}});\n`,
  ].join('\n');
}

/** The file that each type is in: that of the first group that needs it. */
type Homes = ReadonlyMap<string, string>;

/** The names of the schemas that the answers of operations need. */
function namesFor(operations: readonly Operation[], schemas: Record<string, JsonSchema>): string[] {
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    JSON.stringify(schemas[name], (key, value: unknown) => {
      if (key === '$ref') add(nameIn(value));
      return value;
    });
    found.add(name);
  };
  for (const { data } of operations) add(data);
  return [...found];
}

const errorText = (schemas: Record<string, JsonSchema>): string => {
  const codes = (schemas['ErrorCode']?.['enum'] ?? []) as string[];
  const meta = propertiesOf(schemas['Error'] ?? {}).find(({ name }) => name === 'meta')?.schema ?? {};
  return (
    `${HEAD}\n/** Codes of today: they are only ever added. */\nexport type ErrorCode =\n` +
    `${codes.map((code) => `  | '${code}'`).join('\n')};\n\n` +
    `/** \`meta\` of an error. */\nexport interface ErrorMeta ${objectText(propertiesOf(meta))}\n`
  );
};

const eventsText = (webhooks: Document['webhooks']): string => {
  const types = Object.values(webhooks).map(({ post }): Property => {
    const { properties } = post.requestBody.content['application/json'].schema;
    return { name: properties.type.const, required: true, schema: { ...properties.data, description: post.description } };
  });
  return (
    `${HEAD}\n/** What each type of event carries. Types are only ever added. */\n` +
    `export interface WebhookData ${objectText(types)}\n\n` +
    `/** An event as its body has it. */\nexport type WebhookEvent = {\n` +
    `  [Type in keyof WebhookData]: { type: Type; timestamp: string; data: WebhookData[Type] };\n}[keyof WebhookData];\n`
  );
};

export const PRINTED_FOLDERS = ['printed', 'words'];

/** From the path of a file in `client/` to its text: methods in `printed/`, and in `words/` the names that the written part needs as well. */
export function clientText(endpoints: readonly AnyEndpoint[]): Record<string, string> {
  const document = openApiDocument(endpoints, { brand: 'Egress', version: '1', publicUrl: 'https://egress.example' });
  const schemas = document.components.schemas as Record<string, JsonSchema>;
  const groups = Map.groupBy(operationsOf(document), ({ path }) => groupOf(path));
  const sorted = [...groups.keys()].sort();
  const homes = new Map<string, string>();
  for (const group of sorted) for (const name of namesFor(groups.get(group) ?? [], schemas)) if (!homes.has(name)) homes.set(name, group);
  const index = [
    `${HEAD}import type { Call } from '../call.ts';`,
    ...sorted.map((group) => `import { ${camel(group)}Methods } from './${group}.ts';`),
    '',
    ...[...sorted.map((group) => `./${group}`), '../words/error-codes', '../words/webhook-events'].map(
      (file) => `export type * from '${file}.ts';`,
    ),
    '',
    '/** A method for each operation of /openapi.json: `list_events` is `listEvents`, and `eachEvent` reads all of its pages. */',
    `export type Methods = ${sorted.map((group) => `ReturnType<typeof ${camel(group)}Methods>`).join(' &\n  ')};\n`,
    'export const methods = (call: Call): Methods => ({',
    ...sorted.map((group) => `  ...${camel(group)}Methods(call),`),
    '});\n',
  ];
  return {
    ...Object.fromEntries([...groups].map(([group, operations]) => [`printed/${group}.ts`, groupText(group, operations, schemas, homes)])),
    'words/error-codes.ts': errorText(schemas),
    'words/webhook-events.ts': eventsText(document.webhooks),
    'printed/methods.ts': index.join('\n'),
  };
}
