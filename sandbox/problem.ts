// An error answer, in the vendor's own form.
import type { ContentfulStatusCode } from 'hono/utils/http-status';

export class Problem extends Error {
  readonly status: ContentfulStatusCode;
  readonly body: object;

  constructor(status: ContentfulStatusCode, body: object) {
    super(JSON.stringify(body));
    this.status = status;
    this.body = body;
  }
}
