// The definition of one endpoint. REST, MCP and the OpenAPI document are all made from this one object, so that they cannot differ.
import { z } from 'zod';
import type { ErrorCode } from '#platform/errors.ts';
import type { Scope } from '#platform/identity.ts';

/** How a value that does not fit its schema is refused: the code, and a sentence that is more exact than the catalogue's. */
export interface Refusal {
  code: ErrorCode;
  message?: string;
  allowed?: readonly (string | number)[];
}

/** One operation: its path and inputs, the fixed GraphQL operation that it runs, and its answer. */
export interface Endpoint<Input extends z.ZodObject = z.ZodObject, Result = never> {
  /** Default: GET. With any other method, the inputs that are not in the path are sent as a JSON object. */
  method?: 'POST' | 'PATCH' | 'DELETE';
  /** REST path; `{name}` is a parameter by its REST name. */
  path: `/v1/${string}`;
  /** A path that was documented before, and is answered as `path` is; with the same parameters. */
  formerPath?: `/v1/${string}`;
  /** Name of the MCP tool. Spec, MCP tools. */
  tool: string;
  title: string;
  description: string;
  /** Status of a successful answer. Default: 200. 202: what was asked for has begun, and goes on. */
  status?: 202;
  /** `message` of a successful answer. */
  message: string;
  /** The scope that a key needs. */
  scope: Scope;
  /** The inputs by the names that MCP uses (Spec, MCP tools), with their types in JSON. */
  input: Input;
  /** Inputs that have another name in REST. Spec, Endpoints. */
  restNames: Partial<Record<keyof z.infer<Input> & string, string>>;
  /** Inputs that REST takes from headers, which `restNames` names. */
  headers?: readonly (keyof z.infer<Input> & string)[];
  /** Inputs for whose wrong values there is a code of their own; for the others it is `parameter_invalid`. */
  refusals: Partial<Record<keyof z.infer<Input> & string, Refusal>>;
  /** Codes that the graph may answer besides those of `refusals` and those that every endpoint can answer. */
  codes: readonly ErrorCode[];
  output: z.ZodObject;
  /** The published name of `output`, where endpoints share it. Default: the tool's name and `Data`. */
  outputName?: string;
  /**
   * From a property of `output` that is an object, or a list of objects, to their published name; `pools.states` is a property of those in `pools`. Equal objects
   * have the name wherever they stand.
   */
  named?: Readonly<Record<string, string>>;
  /** False when a call changes or stores something, such as a batch. */
  readOnly: boolean;
  /** Whether a call cannot be undone. */
  destructive?: boolean;
  /** The fixed GraphQL document; validated against the published schema by a test, planned once at start. */
  operation: string;
  variables(input: z.infer<Input>): Record<string, unknown>;
  /** The result of the operation in the form in which it is sent. Throws a Failure for an input that is wrong by the result of the operation. */
  data(result: Result, input: z.infer<Input>): object;
  /** A sentence that is added to `message`, for an input that has found nothing. */
  note?(input: z.infer<Input>, data: object): string | undefined;
  example: { input: z.input<Input>; data: object };
}

/** The HTTP method of the endpoint. */
export const methodOf = ({ method }: Pick<AnyEndpoint, 'method'>): 'GET' | 'POST' | 'PATCH' | 'DELETE' => method ?? 'GET';

/** The status of a successful answer. */
export const successStatusOf = ({ status }: Pick<AnyEndpoint, 'status'>): 200 | 202 => status ?? 200;

/** An endpoint without its types, for code that handles all endpoints alike. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any>;

export const defineEndpoint = <Input extends z.ZodObject, Result>(endpoint: Endpoint<Input, Result>): Endpoint<Input, Result> => endpoint;

/**
 * A name of a place: 1 to 100 characters, without control characters and halves of surrogate pairs.
 * Not a pattern of the schema, since regular expressions of other languages may not have \p{...}.
 */
export const words = (description: string) =>
  z
    .string()
    .min(1)
    .max(100)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text))
    .describe(description);

/** The id of a plan. Any text is accepted: text that cannot be an id is treated as an unknown plan. */
export const planId = () => z.string().describe('Identifier of the plan, from the plan list (product_id).');

/** Text that cannot be an id becomes `-`, the id of nothing, so that it is safe to pass on to a database. */
export const toId = (text: string): string => (/^[\w-]{1,64}$/.test(text) ? text : '-');
