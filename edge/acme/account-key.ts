// The key of an ACME account, and what is signed by it: RFC 7515 (JWS), RFC 7638 (thumbprints), RFC 8555, 6.2 and 7.3.4.
import { type KeyObject, createHash, createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';

export interface ExternalAccount {
  keyId: string;
  /** base64url, as certificate authorities give it. */
  hmacKey: string;
}

export const base64url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');

export interface Jws {
  protected: string;
  payload: string;
  signature: string;
}

export class AccountKey {
  readonly #key: KeyObject;
  readonly jwk: Record<'crv' | 'kty' | 'x' | 'y', string | undefined>;

  /** PEM of an EC key on P-256. */
  constructor(pem: string) {
    this.#key = createPrivateKey(pem);
    const { crv, kty, x, y } = this.#key.export({ format: 'jwk' });
    // In the order of a thumbprint.
    this.jwk = { crv, kty, x, y };
  }

  static make(): string {
    return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  }

  /** What a challenge is answered with. RFC 8555, 8.1. */
  authorize(token: string): string {
    return `${token}.${createHash('sha256').update(JSON.stringify(this.jwk)).digest('base64url')}`;
  }

  /** `payload` undefined: POST-as-GET, whose payload is empty. */
  sign(header: Record<string, unknown>, payload: unknown): Jws {
    const text = { protected: base64url(JSON.stringify({ alg: 'ES256', ...header })), payload: payloadOf(payload) };
    const signature = sign('sha256', Buffer.from(`${text.protected}.${text.payload}`), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return { ...text, signature: base64url(signature) };
  }

  /** Says that the account belongs to one at the authority outside ACME. */
  bind({ keyId, hmacKey }: ExternalAccount, url: string): Jws {
    const text = { protected: base64url(JSON.stringify({ alg: 'HS256', kid: keyId, url })), payload: payloadOf(this.jwk) };
    const mac = createHmac('sha256', Buffer.from(hmacKey, 'base64url')).update(`${text.protected}.${text.payload}`);
    return { ...text, signature: mac.digest('base64url') };
  }
}

const payloadOf = (payload: unknown): string => (payload === undefined ? '' : base64url(JSON.stringify(payload)));
