// What /openapi.json promises of an answer, held against the answer: every REST call of the tests goes through it, as through a validating proxy.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ENDPOINTS } from '../../rest-adapter/endpoints/index.ts';
import { openApiDocument } from '../../rest-adapter/openapi.ts';

/** JSON of the document. */
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

interface Answered {
  status: number;
  headers: Headers;
  body: { meta?: { code: string } };
}

const ID = 'https://document.example/openapi.json';

interface Operation {
  path: RegExp;
  method: string;
  responses: Loose;
}

class Contract {
  readonly #operations: Operation[] = [];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<object, ValidateFunction>();

  constructor() {
    // References are followed from the response's own schema, so they name the document.
    const document = JSON.parse(
      JSON.stringify(openApiDocument(ENDPOINTS, { brand: 'Test', version: '1', publicUrl: 'https://proxies.example' })).replaceAll(
        '"#/components/',
        `"${ID}#/components/`,
      ),
    ) as Loose;
    formats.default(this.#ajv);
    this.#ajv.addSchema({ $id: ID, components: { schemas: document.components.schemas } });
    for (const [path, methods] of Object.entries<Loose>(document.paths)) {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      for (const [method, { responses }] of Object.entries<Loose>(methods))
        this.#operations.push({ path: pattern, method: method.toUpperCase(), responses });
    }
  }

  faults(method: string, path: string, { status, headers, body }: Answered): string[] {
    // A fixed path wins over one with a parameter in the same place.
    const operation = this.#operations
      .filter((one) => one.method === method && one.path.test(path))
      .toSorted((one, other) => one.path.source.split('[^/]+').length - other.path.source.split('[^/]+').length)[0];
    if (!operation) return [];
    const response = operation.responses[status];
    if (!response) return [`status ${status} is not documented`];
    const { schema, examples } = response.content['application/json'];
    const missing = Object.keys(response.headers).filter((name) => !headers.has(name) && !OPTIONAL.has(name));
    const wrong = missing.map((name) => `the documented header ${name} is missing`);
    if (examples && !Object.hasOwn(examples, body.meta?.code ?? '')) wrong.push(`code ${body.meta?.code} is not documented for ${status}`);
    const validate = this.#validatorOf(schema);
    if (!validate(body)) wrong.push(...(validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`));
    return wrong;
  }

  #validatorOf(schema: object): ValidateFunction {
    let found = this.#validators.get(schema);
    if (!found) this.#validators.set(schema, (found = this.#ajv.compile(schema)));
    return found;
  }
}

/** Where there is something to say. */
const OPTIONAL: ReadonlySet<string> = new Set(['Unknown-Parameters', 'ETag', 'Allow']);

let contract: Contract | undefined;

/** How an answer breaks the document. `url`: the path that was asked for, with its query. Empty for paths that it does not have. */
export const documentFaults = (method: string, url: string, answer: Answered): string[] =>
  (contract ??= new Contract()).faults(method, new URL(url, 'https://proxies.example').pathname, answer);
