// The configuration of the ways in.
import { z } from 'zod';
import { configPart } from '#platform/config.ts';
import { url } from '#platform/config-values.ts';
import { vendor } from '#platform/vendors.ts';

export const identityConfiguration = configPart({
  LEAKED_PASSWORDS_FILE: [
    z.string().min(1).optional(),
    "passwords of published leaks that nobody may choose, as Have I Been Pwned's downloader writes them: SHA-1:COUNT lines in order",
  ],
  CHAT_NAME: [z.string().min(1).max(40).default('Chat'), 'the chat platform that people can sign in with, as they call it'],
  CHAT_CLIENT_ID: [
    z.string().min(1).optional(),
    'its OAuth 2.0 client; without all five CHAT_ values nobody signs in by chat, or the sandbox plays it',
  ],
  CHAT_CLIENT_SECRET: [z.string().min(1).optional(), 'secret of that client'],
  CHAT_AUTHORIZE_URL: [url('http', 'https').optional(), 'its authorization endpoint'],
  CHAT_TOKEN_URL: [url('http', 'https').optional(), 'its token endpoint'],
  CHAT_PROFILE_URL: [url('http', 'https').optional(), 'answers { id, username } to the bearer of a token'],
  CHAT_SCOPES: [
    z
      .string()
      .default('identify')
      .transform((value) => value.split(' ').filter(Boolean)),
    'what is asked of it, separated by spaces',
  ],
});

/** A chat platform as an OAuth 2.0 provider. */
export interface ChatTerms {
  /** The name that people call it by. */
  name: string;
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  tokenUrl: string;
  /** Answers the bearer of a token with `{ id, username, global_name? }`. */
  profileUrl: string;
  scopes: string[];
  /** The limit for an answer in milliseconds; absent: 5 s. */
  timeoutMs?: number;
}

/** Without it nobody signs in by chat. */
export const chatVendor = vendor<ChatTerms>({
  name: 'chat',
  configured(config) {
    const own = identityConfiguration.of(config);
    const { CHAT_CLIENT_ID: clientId, CHAT_CLIENT_SECRET: clientSecret } = own;
    const { CHAT_AUTHORIZE_URL: authorizeUrl, CHAT_TOKEN_URL: tokenUrl, CHAT_PROFILE_URL: profileUrl } = own;
    return clientId && clientSecret && authorizeUrl && tokenUrl && profileUrl
      ? { name: own.CHAT_NAME, clientId, clientSecret, authorizeUrl, tokenUrl, profileUrl, scopes: own.CHAT_SCOPES }
      : undefined;
  },
  played(sandbox, config) {
    const { CHAT_NAME: name, CHAT_SCOPES: scopes } = identityConfiguration.of(config);
    const at = sandbox.url('chat');
    return {
      name,
      clientId: sandbox.accepts('chatClientId'),
      clientSecret: sandbox.accepts('chatClientSecret'),
      authorizeUrl: `${at}/oauth2/authorize`,
      tokenUrl: `${at}/api/oauth2/token`,
      profileUrl: `${at}/api/users/@me`,
      scopes,
    };
  },
});
