// Payment processors' notices: the raw body goes to accounts, which verifies and stores it before this answers.
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
  /** The header that the signature of a source's notices comes in; undefined: there is no such source. */
  signatureHeaderOf(source: string): string | undefined;
}

export function createWebhookRoute({ ask, signatureHeaderOf }: WebhookParts): Route {
  return {
    name: 'webhooks',
    vital: true,
    matches: (pathname) => pathname.startsWith(PREFIX),
    async handle(request, response, { url, requestId, address }) {
      const source = url.pathname.slice(PREFIX.length);
      const header = signatureHeaderOf(source);
      if (!header) throw fail('route_not_found');
      requireMethod(request, response, 'POST');
      const signature = request.headers[header];
      if (typeof signature !== 'string') throw fail('signature_invalid');
      const body = (await readBody(request, BODY_LIMIT)).toString('utf8');
      const viewer = { ...systemViewer('webhooks', requestId), address };
      const { receipt } = await ask(RECEIVE, { source, body, signature }, viewer);
      sendJson(response, 200, receipt);
    },
  };
}
