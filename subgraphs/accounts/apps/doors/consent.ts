// Where an owner agrees that an app is let in, or refuses: the page of the dashboard asks here, with its session.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Interaction, Provider } from 'oidc-provider';
import type { DoorParts } from '#platform/doors.ts';
import { fail } from '#platform/errors.ts';
import { type Scope, systemViewer } from '#platform/identity.ts';
import { readJsonObject } from '#platform/read-body.ts';
import { requireMethod, sendJson } from '#platform/respond.ts';
import type { Call } from '#platform/route.ts';
import { toScopes } from '../domain/app-terms.ts';
import { CONNECT_PAGE, OAUTH_PATHS, mcpResource } from './oauth-paths.ts';

const AGREE = 'mutation connectedAppAdd($input: AppAgreementInput!) { agreed: connectedAppAdd(input: $input) }';
const BODY_LIMIT = 4_096;

/** What the page shows of a request. */
interface Asked {
  /** What the client calls itself; nobody has checked it. */
  name: string;
  /** The host that the client is known by: that of its metadata document, else where the browser returns to; empty for a program on this computer. */
  host: string;
  scopes: readonly Scope[];
}

export interface ConsentParts extends Pick<DoorParts, 'ask' | 'session' | 'checkOrigin'> {
  publicUrl: string;
}

/**
 * `GET /oauth/interactions/{uid}`: a browser is sent to the page; the page reads JSON. `POST` with `{ keyId, scopes }` or `{ refuse: true }` answers
 * `{ url }`, at which the sign-in continues. Errors: request_not_found, session_invalid, impersonation_reads_only, origin_forbidden, and those of
 * connectedAppAdd.
 */
export async function answerConsent(
  provider: Provider,
  { ask, session, checkOrigin, publicUrl }: ConsentParts,
  request: IncomingMessage,
  response: ServerResponse,
  call: Call,
): Promise<void> {
  requireMethod(request, response, 'GET', 'POST');
  const uid = call.url.pathname.slice(OAUTH_PATHS.interactions.length + 1);
  if (request.method === 'GET' && request.headers.accept?.includes('text/html')) {
    response.writeHead(303, { Location: `${CONNECT_PAGE}?request=${encodeURIComponent(uid)}`, 'Cache-Control': 'no-store' }).end();
    return;
  }
  const viewer = await session(request, call, true);
  const interaction = await provider.interactionDetails(request, response).catch(() => undefined);
  if (interaction?.uid !== uid) throw fail('request_not_found');
  const asked = await askedBy(provider, interaction);
  if (request.method === 'GET') return sendJson(response, 200, asked);

  checkOrigin(request);
  const answer = await readJsonObject(request, BODY_LIMIT);
  if (answer['refuse'] === true) {
    const refusal = { error: 'access_denied', error_description: 'The owner of the account has refused.' };
    return sendJson(response, 200, { url: await provider.interactionResult(request, response, refusal) });
  }
  const { keyId, scopes } = answer;
  if (typeof keyId !== 'string') throw fail('parameter_invalid', { field: 'keyId' });
  if (!Array.isArray(scopes)) throw fail('parameter_invalid', { field: 'scopes' });
  const granted = asked.scopes.filter((scope) => scopes.includes(scope));
  const { accountId } = viewer;
  const clientId = String(interaction.params['client_id']);
  const grant = new provider.Grant({ accountId, clientId });
  const resource = mcpResource(publicUrl);
  grant.addResourceScope(resource, granted.join(' '));
  const rejected = asked.scopes.filter((scope) => !granted.includes(scope));
  if (rejected.length > 0) grant.rejectResourceScope(resource, rejected.join(' '));
  grant.addOIDCScope('offline_access');
  const grantId = await grant.save();
  const input = {
    grantId,
    accountId,
    keyId,
    scopes: granted.map((scope) => scope.toUpperCase()),
    clientId,
    name: asked.name,
    host: asked.host,
  };
  try {
    await ask(AGREE, { input }, { ...systemViewer('oauth', call.requestId), address: call.address });
  } catch (error) {
    await grant.destroy();
    throw error;
  }
  const result = { login: { accountId, remember: false }, consent: { grantId } };
  sendJson(response, 200, { url: await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false }) });
}

async function askedBy(provider: Provider, { params }: Interaction): Promise<Asked> {
  const client = await provider.Client.find(String(params['client_id']));
  if (!client) throw fail('request_not_found');
  const isDocument = client.clientId.startsWith('https://');
  const returnsTo = URL.parse(isDocument ? client.clientId : String(params['redirect_uri']));
  const host = returnsTo?.protocol === 'https:' ? returnsTo.host : '';
  return { name: client.clientName ?? (host || client.clientId), host, scopes: toScopes(String(params['scope'] ?? '')) };
}
