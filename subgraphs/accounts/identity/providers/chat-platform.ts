// Log-in with a chat platform: OAuth 2.0, authorization code with state and PKCE, by arctic's client with the configured endpoints.
import { CodeChallengeMethod, OAuth2Client, OAuth2RequestError } from 'arctic';
import { SECOND } from '#platform/clock.ts';
import { inTime } from '#platform/in-time.ts';
import type { ChatTerms } from '../configuration.ts';

/** A person as the platform knows them. Their e-mail address is not read, since it proves nothing here. */
export interface ChatPerson {
  /** The platform's own id of the person, which is never given to somebody else. */
  subject: string;
  name: string;
}

export interface ChatPlatform {
  /** The name that people call it by. */
  name: string;
  /** The address that the browser is sent to. */
  addressOf(state: string, verifier: string): string;
  /** The person who came back with this code; undefined when the platform rejects it. Throws ChatTrouble. */
  personOf(code: string, verifier: string): Promise<ChatPerson | undefined>;
}

/** The limit for each of the two requests, for which a person waits. */
const TIMEOUT_MS = 5 * SECOND;
const MAX_NAME_LENGTH = 100;

/** The platform did not answer, or its answer made no sense. */
export class ChatTrouble extends Error {}

export const CHAT_CALLBACK = '/auth/chat/callback';

export function createChatPlatform({ terms, publicUrl }: { terms: ChatTerms; publicUrl: string }): ChatPlatform {
  const { timeoutMs = TIMEOUT_MS } = terms;
  const client = new OAuth2Client(terms.clientId, terms.clientSecret, `${publicUrl}${CHAT_CALLBACK}`);
  return {
    name: terms.name,
    addressOf: (state, verifier) =>
      client.createAuthorizationURLWithPKCE(terms.authorizeUrl, state, CodeChallengeMethod.S256, verifier, terms.scopes).href,
    async personOf(code, verifier) {
      try {
        const tokens = await inTime(client.validateAuthorizationCode(terms.tokenUrl, code, verifier), timeoutMs);
        const answer = await fetch(terms.profileUrl, {
          headers: { authorization: `Bearer ${tokens.accessToken()}`, accept: 'application/json' },
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'error',
        });
        if (answer.status >= 500) throw new Error(`the profile is answered with ${answer.status}`);
        return answer.ok ? toPerson(await answer.json()) : undefined;
      } catch (error) {
        // A wrong, used or late code is an ordinary answer; anything else is trouble of the platform.
        if (error instanceof OAuth2RequestError) return undefined;
        throw new ChatTrouble(String(error), { cause: error });
      }
    },
  };
}

/** Reads the id and the name of a profile, in the form that the large chat platforms share. */
function toPerson(profile: unknown): ChatPerson | undefined {
  const { id, global_name: display, username } = (profile ?? {}) as Record<string, unknown>;
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '') return undefined;
  const name = [display, username].find((word) => typeof word === 'string' && word !== '') ?? String(id);
  return { subject: String(id), name: String(name).slice(0, MAX_NAME_LENGTH) };
}
