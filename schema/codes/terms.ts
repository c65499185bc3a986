/** code -> HTTP status, the public English sentence, whether the same request may succeed later. */
export type ErrorTerms = Record<string, ErrorRow>;

interface ErrorRow {
  status: 400 | 401 | 402 | 403 | 404 | 405 | 407 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 502 | 503 | 504;
  message: string;
  retryable?: true;
}
