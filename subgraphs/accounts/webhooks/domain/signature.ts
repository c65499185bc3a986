// Signatures by the Standard Webhooks specification, symmetric: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
/** The specification asks for 24 to 64 bytes. */
const SECRET_BYTES = 32;

export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

const signed = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')}`;

export interface Signable {
  id: string;
  /** The time of the attempt: receivers refuse messages that are older than some minutes. */
  at: Date;
  body: string;
}

/** The three headers of a message. While a secret is being replaced, both secrets sign. */
export function signatureHeaders({ id, at, body }: Signable, secrets: readonly string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => signed(secret, `${id}.${timestamp}.${body}`)).join(' '),
  };
}
