// What one endpoint is. REST, MCP and the OpenAPI document are all made from this one object, so that they cannot differ.
import { z } from 'zod';
import type { ErrorCode } from '#platform/errors.ts';
import type { Scope } from '#platform/identity.ts';

/** How a value that breaks its schema is refused: the code, and a sentence more exact than the catalogue's. */
export interface Refusal {
  code: ErrorCode;
  message?: string;
  allowed?: readonly (string | number)[];
}

/** One operation: how it is called, which fixed operation it runs, what it answers. */
export interface Endpoint<Input extends z.ZodObject = z.ZodObject, Result = never> {
  /** Absent: GET. Inputs of others that are no part of the path come as a JSON object. */
  method?: 'POST' | 'PATCH' | 'DELETE';
  /** REST path; `{name}` is a parameter by its REST name. */
  path: `/v1/${string}`;
  /** Name of the MCP tool. Spec, MCP tools. */
  tool: string;
  title: string;
  description: string;
  /** `message` of a successful answer. */
  message: string;
  /** What a key needs to call it. */
  scope: Scope;
  /** The inputs by the names that MCP uses (Spec, MCP tools), typed as JSON carries them. */
  input: Input;
  /** Inputs that REST calls by another name. Spec, Endpoints. */
  restNames: Partial<Record<keyof z.infer<Input> & string, string>>;
  /** Inputs whose wrong value has a code of its own; the others are `parameter_invalid`. */
  refusals: Partial<Record<keyof z.infer<Input> & string, Refusal>>;
  /** Codes that the graph may answer beside those of `refusals` and those that every endpoint can answer. */
  codes: readonly ErrorCode[];
  output: z.ZodObject;
  /** Property of `output` that is a list -> the published name of its objects. */
  items?: Readonly<Record<string, string>>;
  /** False where a call leaves a trace (a stored batch). */
  readOnly: boolean;
  /** What it does cannot be undone. */
  destructive?: boolean;
  /** The fixed GraphQL document; validated against the published schema by a test, planned once at start. */
  operation: string;
  variables(input: z.infer<Input>): Record<string, unknown>;
  /** The result of the operation in the shape that is sent. Throws a Failure for an input that only the result shows to be wrong. */
  data(result: Result, input: z.infer<Input>): object;
  /** What an answer says beside `message`, where an input found nothing. */
  note?(input: z.infer<Input>, data: object): string | undefined;
  example: { input: z.input<Input>; data: object };
}

/** As requests name it. */
export const methodOf = ({ method }: Pick<AnyEndpoint, 'method'>): 'GET' | 'POST' | 'PATCH' | 'DELETE' => method ?? 'GET';

/** An endpoint whose types no longer matter to those who serve it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyEndpoint = Endpoint<any, any>;

export const defineEndpoint = <Input extends z.ZodObject, Result>(endpoint: Endpoint<Input, Result>): Endpoint<Input, Result> => endpoint;

/**
 * Words for a place: 1 to 100 characters, none of them a control character or half of a surrogate pair.
 * Not a pattern of the schema: readers of other languages do not know \p{...}.
 */
export const words = (description: string) =>
  z
    .string()
    .min(1)
    .max(100)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text))
    .describe(description);

/** The id of a plan. Any text may come: what cannot be an id is simply no plan of the account. */
export const planId = () => z.string().describe('Identifier of the plan, from the plan list (product_id).');

/** An id as it may travel on to a database; text that no id can be becomes one that nothing has. */
export const toId = (text: string): string => (/^[\w-]{1,64}$/.test(text) ? text : '-');
