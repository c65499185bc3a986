// The chat platform's authorization server: its people, codes that can be redeemed once (RFC 6749, with PKCE of RFC 7636), and tokens.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import type { Authorization } from './authorization.ts';
import type { ChatPerson } from './person.ts';

/** RFC 6749, 4.1.2 allows ten minutes at most; the large platforms use one. */
const CODE_MS = 60_000;

interface Grant extends Authorization {
  personId: string;
  expiresAt: number;
  /** Set when the code is redeemed; redeeming it again revokes this token (RFC 6749, 4.1.2). */
  token?: string;
}

export interface NamedPerson {
  username: string;
  email?: string;
  verified?: boolean;
}

export interface AuthorizationServerOptions {
  clock: Clock;
  clientId: string;
  clientSecret: string;
  /** By username; stored in the platform's state. */
  people: Record<string, ChatPerson>;
  changed: () => void;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
const same = (one: string, other: string): boolean => timingSafeEqual(sha256(one), sha256(other));
const random = (): string => randomBytes(24).toString('base64url');

export class AuthorizationServer {
  readonly #options: AuthorizationServerOptions;
  /** By code. */
  readonly #grants = new Map<string, Grant>();
  /** From token to the person whose profile it reads. */
  readonly #tokens = new Map<string, string>();

  constructor(options: AuthorizationServerOptions) {
    this.#options = options;
  }

  people(): ChatPerson[] {
    return Object.values(this.#options.people);
  }

  /** The person with this username, created at the first use. */
  personNamed({ username, email, verified = true }: NamedPerson): ChatPerson {
    const person = (this.#options.people[username] ??= {
      id: String(BigInt(`0x${randomBytes(8).toString('hex')}`)),
      username,
      email: null,
      verified: false,
    });
    if (email !== undefined) Object.assign(person, { email, verified });
    this.#options.changed();
    return person;
  }

  /** A code for the redirect of this person's browser. */
  grant(authorization: Authorization, person: ChatPerson): string {
    const code = random();
    this.#grants.set(code, { ...authorization, personId: person.id, expiresAt: this.#options.clock.now().getTime() + CODE_MS });
    return code;
  }

  isClient(id: string, secret: string): boolean {
    return same(id, this.#options.clientId) && same(secret, this.#options.clientSecret);
  }

  /** A token for a valid code. Undefined for an invalid one; when the code was redeemed before, its token is revoked. */
  redeem(code: string, redirectUri: string, codeVerifier: string): { token: string; scope: string } | undefined {
    const granted = this.#grants.get(code);
    if (granted?.token !== undefined) this.#tokens.delete(granted.token);
    const holds =
      granted !== undefined &&
      granted.token === undefined &&
      this.#options.clock.now().getTime() < granted.expiresAt &&
      redirectUri === granted.redirectUri &&
      same(sha256(codeVerifier).toString('base64url'), granted.codeChallenge);
    if (!holds) return undefined;
    granted.token = random();
    this.#tokens.set(granted.token, granted.personId);
    return { token: granted.token, scope: granted.scope };
  }

  personOf(token: string): ChatPerson | undefined {
    const personId = this.#tokens.get(token);
    return this.people().find(({ id }) => id === personId);
  }
}
