// Receives the notices of payment processors. The raw body goes to accounts, which verifies and stores it before this route answers.
import type { DoorParts } from '#platform/doors.ts';
import { fail } from '#platform/errors.ts';
import { systemViewer } from '#platform/identity.ts';
import { readBody } from '#platform/read-body.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';

const PREFIX = '/webhooks/';
const BODY_LIMIT = 262_144;

const RECEIVE = `mutation webhookReceive($source: String!, $body: String!, $signature: String!) {
  receipt: webhookReceive(source: $source, body: $body, signature: $signature) { stored }
}`;

interface WebhookParts extends Pick<DoorParts, 'ask'> {
  /** The headers with the signature of a source's notices; undefined: there is no such source. */
  signatureHeadersOf(source: string): readonly string[] | undefined;
}

export function createWebhookRoute({ ask, signatureHeadersOf }: WebhookParts): Route {
  return {
    name: 'webhooks',
    vital: true,
    matches: (pathname) => pathname.startsWith(PREFIX),
    async handle(request, response, { url, requestId, address }) {
      const source = url.pathname.slice(PREFIX.length);
      const headers = signatureHeadersOf(source);
      if (!headers) throw fail('route_not_found');
      requireMethod(request, response, 'POST');
      const values = headers.map((header) => request.headers[header]);
      if (!values.every((value) => typeof value === 'string')) throw fail('signature_invalid');
      const signature = values.join('\n');
      const body = (await readBody(request, BODY_LIMIT)).toString('utf8');
      const viewer = { ...systemViewer('webhooks', requestId), address };
      const { receipt } = await ask(RECEIVE, { source, body, signature }, viewer);
      sendJson(response, 200, receipt);
    },
  };
}
