/** The parameters of the consent page, checked. */
export interface Authorization {
  redirectUri: string;
  scope: string;
  state: string | undefined;
  /** PKCE, S256; required from every client here. */
  codeChallenge: string;
}

/** The only registered callback path; the host is not checked, since only the product knows it. */
const CALLBACK = '/auth/chat/callback';

/** The request, or a sentence that says why the browser cannot be redirected with it. */
export function readAuthorization(query: URLSearchParams, clientId: string): Authorization | string {
  const word = (name: string) => query.get(name) ?? '';
  if (word('client_id') !== clientId) return 'There is no such application.';
  const redirectUri = word('redirect_uri');
  if (!URL.canParse(redirectUri) || new URL(redirectUri).pathname !== CALLBACK) return 'This redirect_uri is not registered.';
  if (word('response_type') !== 'code') return 'response_type must be code.';
  if (word('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(word('code_challenge')))
    return 'A code_challenge of method S256 is required.';
  return { redirectUri, scope: word('scope'), state: query.get('state') ?? undefined, codeChallenge: word('code_challenge') };
}
