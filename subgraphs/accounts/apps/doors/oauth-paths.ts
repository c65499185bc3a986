// Where the authorization server answers, and what its tokens are for.

export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
  interactions: '/oauth/interactions',
} as const;

/** The page of the dashboard on which an owner agrees. */
export const CONNECT_PAGE = '/connect';

/** The one resource that tokens are for. RFC 8707. */
export const mcpResource = (publicUrl: string): string => new URL('/mcp', publicUrl).href;
