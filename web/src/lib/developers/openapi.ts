// The operations that the page shows, read from the OpenAPI document, so that nothing about them is written twice.
export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: { type?: string; enum?: readonly string[]; default?: unknown };
}

export interface Endpoint {
  id: string;
  path: string;
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  /** Statuses and their meanings, success first. */
  answers: readonly { status: string; description: string }[];
  example: unknown;
}

interface Operation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: Parameter[];
  responses: Record<string, { description: string; content?: { 'application/json'?: { example?: unknown } } }>;
}

/** Fetches the document from the front that serves this page. Undefined when that fails. */
export async function readEndpoints(): Promise<Endpoint[] | undefined> {
  try {
    const answer = await fetch('/openapi.json');
    const { paths } = (await answer.json()) as { paths: Record<string, { get: Operation }> };
    return Object.entries(paths).map(([path, { get }]) => ({
      id: get.operationId,
      path,
      summary: get.summary,
      description: get.description,
      parameters: get.parameters ?? [],
      answers: Object.entries(get.responses).map(([status, { description }]) => ({ status, description })),
      example: get.responses['200']?.content?.['application/json']?.example,
    }));
  } catch {
    return undefined;
  }
}

/** The address of a call with these values; empty query parameters are left out. */
export function addressOf({ path, parameters }: Endpoint, values: Readonly<Record<string, string>>): string {
  const filled = parameters
    .filter((each) => each.in === 'path')
    .reduce((text, { name }) => text.replace(`{${name}}`, encodeURIComponent(values[name] || `{${name}}`)), path);
  const search = new URLSearchParams(
    parameters.filter((each) => each.in === 'query' && values[each.name]).map(({ name }) => [name, values[name] ?? '']),
  ).toString();
  return search ? `${filled}?${search}` : filled;
}
