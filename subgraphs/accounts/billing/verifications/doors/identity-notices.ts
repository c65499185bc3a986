// Receives what a vendor has decided about a customer's identity. The raw body goes to accounts, which verifies and applies it before this route answers.
import type { DoorParts } from '#platform/doors.ts';
import { fail } from '#platform/errors.ts';
import { systemViewer } from '#platform/identity.ts';
import { readBody } from '#platform/read-body.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { SIGNATURE_HEADERS } from '#platform/standard-webhook.ts';

const PATH = '/identity/notices';
const BODY_LIMIT = 65_536;

const RECEIVE = `mutation identityNotice($id: String!, $timestamp: String!, $signature: String!, $body: String!) {
  receipt: identityNoticeReceive(id: $id, timestamp: $timestamp, signature: $signature, body: $body) { stored }
}`;

/** `POST /identity/notices`, for the vendor. signature_invalid 400, parameter_invalid 400, route_not_found 404 without a vendor. */
export function createIdentityNoticesRoute({ ask }: Pick<DoorParts, 'ask'>): Route {
  return {
    name: 'identity-notices',
    vital: true,
    matches: (pathname) => pathname === PATH,
    async handle(request, response, { requestId, address }) {
      requireMethod(request, response, 'POST');
      const [id, timestamp, signature] = SIGNATURE_HEADERS.map((header) => request.headers[header]);
      if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') throw fail('signature_invalid');
      const body = (await readBody(request, BODY_LIMIT)).toString('utf8');
      const viewer = { ...systemViewer('identity', requestId), address };
      sendJson(response, 200, (await ask<{ receipt: object }>(RECEIVE, { id, timestamp, signature, body }, viewer)).receipt);
    },
  };
}
