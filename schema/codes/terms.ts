/** code -> HTTP status, the public English sentence, whether the same request may succeed later. */
export type ErrorTerms = Record<string, ErrorRow>;

interface ErrorRow {
  status: 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 502 | 503 | 504;
  message: string;
  retryable?: true;
}

/** code -> the English sentence; `{name}` stands for a parameter, `{name, number}` for one whose thousands are set apart. */
export type ReasonTerms = Record<string, string>;

/** The parameters that a sentence names. */
export type ParamsOf<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Number}, number` ? Record<Number, number> : Record<Name, string | number>) & ParamsOf<Rest>
  : {};
