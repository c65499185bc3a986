// What clients say of themselves, at their registration or in a document at their id (OAuth Client ID Metadata Document): only what we go by is taken.
import { request as requestHttps } from 'node:https';
import { SECOND } from '#platform/clock.ts';
import { createOutsideGuard, type OutsideRules } from '#platform/outside-address.ts';
import { APP_NAME_LENGTH } from '../domain/app-terms.ts';

const MAX_REDIRECTS = 10;
const MAX_URL_LENGTH = 512;
const MAX_DOCUMENT_BYTES = 10_240;
const TIMEOUT_MS = 3 * SECOND;

const text = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_URL_LENGTH ? value.trim().slice(0, max) : undefined;

/** A redirect that leaves the web: to this machine, or to a program's own scheme. RFC 8252, 7. */
const isNative = (uri: string): boolean => {
  const url = URL.parse(uri);
  return url !== null && url.protocol !== 'https:';
};

/**
 * The metadata in the form that is stored. A server may replace what a client asks for (RFC 7591, 3.2.1): all clients are public, use codes with PKCE, and may
 * renew their tokens. Redirects to plain http are accepted for this machine only.
 */
export function toClientMetadata(given: Record<string, unknown>): Record<string, unknown> {
  const { client_id: id, redirect_uris: uris } = given;
  const redirects = Array.isArray(uris) ? uris.filter((uri): uri is string => text(uri, MAX_URL_LENGTH) !== undefined) : [];
  const name = text(given['client_name'], APP_NAME_LENGTH);
  const home = text(given['client_uri'], MAX_URL_LENGTH);
  return {
    ...(typeof id === 'string' && { client_id: id }),
    ...(name !== undefined && { client_name: name }),
    ...(home?.startsWith('https://') && { client_uri: home }),
    redirect_uris: redirects.slice(0, MAX_REDIRECTS),
    application_type: redirects.some(isNative) ? 'native' : 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
}

/** Reads the document of a client, at an address that was judged; at most 10 kB, within 3 s, and without following redirects. In the form of `fetch`. */
export function createDocumentFetch(rules: OutsideRules): (url: string) => Promise<Response> {
  const lookupOf = createOutsideGuard(rules);
  return async (address) => {
    const url = new URL(address);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    const lookup = await Promise.race([lookupOf(url), late]);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    requestHttps(url, { lookup, signal, agent: false, headers: { accept: 'application/json' } }, (response) => {
      const parts: Buffer[] = [];
      let length = 0;
      response.on('data', (part: Buffer) => {
        length += part.length;
        if (length > MAX_DOCUMENT_BYTES) response.destroy(new Error('The document is too long.'));
        else parts.push(part);
      });
      response.once('error', reject).once('end', () => {
        const { statusCode: status = 502, headers } = response;
        const caching = headers['cache-control'];
        resolve(new Response(metadataIn(Buffer.concat(parts)), { status, ...(caching && { headers: { 'cache-control': caching } }) }));
      });
    })
      .on('error', reject)
      .end();
    return promise;
  };
}

/** The document in the stored form; text that is no JSON object stays as it is, for oidc-provider to refuse. */
function metadataIn(body: Buffer): string {
  try {
    return JSON.stringify(toClientMetadata(JSON.parse(body.toString()) as Record<string, unknown>));
  } catch {
    return body.toString();
  }
}
