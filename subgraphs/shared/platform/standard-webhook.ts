// Signatures by the Standard Webhooks specification, symmetric: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;
const VERSION = 'v1,';

/** `whsec_` and Base64. */
export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/** HMAC-SHA-256 with the bytes of a secret. */
export const hmacBy = (secret: string, content: string): Buffer =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest();

/** The headers of a message: its id, its time, its signatures. */
export const SIGNATURE_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

export interface Signable {
  id: string;
  /** The time of the attempt: receivers refuse messages that are older than some minutes. */
  at: Date;
  body: string;
}

/** A message as it arrives. */
export interface SignedMessage {
  id: string;
  /** Unix seconds, as text. */
  timestamp: string;
  /** `v1,BASE64`, several separated by spaces while a secret is being replaced. */
  signature: string;
  body: string;
}

const contentOf = ({ id, timestamp, body }: Omit<SignedMessage, 'signature'>): string => `${id}.${timestamp}.${body}`;

/** The three headers of a message. While a secret is being replaced, both secrets sign. */
export function signatureHeaders(
  { id, at, body }: Signable,
  secrets: readonly string[],
): Record<(typeof SIGNATURE_HEADERS)[number], string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const content = contentOf({ id, timestamp, body });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => VERSION + hmacBy(secret, content).toString('base64')).join(' '),
  };
}

/** Whether somebody who knows the secret has signed this message. When they have, is for the receiver to judge. */
export function isSignedBy(message: SignedMessage, secret: string): boolean {
  const expected = hmacBy(secret, contentOf(message));
  return message.signature.split(' ').some((each) => {
    const given = each.startsWith(VERSION) ? Buffer.from(each.slice(VERSION.length), 'base64') : Buffer.alloc(0);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}
