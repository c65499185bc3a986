// What a vendor says of who a customer is: notices signed by the Standard Webhooks specification over the raw body
// (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md), as vendors of identity checks sign theirs: Stripe Identity
// (`t.body`, with a tolerance of five minutes), Sumsub (`X-Payload-Digest`) and Veriff (`X-HMAC-SIGNATURE`) all sign the raw bytes with HMAC-SHA-256.
import { z } from 'zod';
import { because, fail } from '#platform/errors.ts';
import { MINUTE, after } from '#platform/clock.ts';
import { type SignedMessage, hmacBy, isSignedBy } from '#platform/standard-webhook.ts';

/** How far the time of a notice may be from ours; the specification leaves the number to the receiver. */
const TOLERANCE_MS = 5 * MINUTE;

/** Errors: signature_invalid when nobody who knows the secret has signed this body, or not just now. */
export function checkSignature(notice: SignedMessage, secret: string, now: Date): void {
  const sent = /^\d{9,11}$/.test(notice.timestamp) ? Number(notice.timestamp) * 1_000 : Number.NaN;
  if (!isSignedBy(notice, secret) || !(Math.abs(now.getTime() - sent) <= TOLERANCE_MS)) throw fail('signature_invalid');
}

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const NOTICE = z.object({
  type: z.literal('identity.decided'),
  data: z.object({
    account: z.string().min(1).max(60),
    /** The vendor's name of the check, which staff and the vendor find it by. */
    reference: z.string().trim().min(1).max(200),
    /** How well it is known who the customer is, from now on; 0: not at all, or no more. */
    level: z.int().min(0).max(9),
    decided_at: instant,
    expires_at: instant.nullish(),
  }),
});

export interface IdentityDecision {
  account: string;
  reference: string;
  level: number;
  decidedAt: Date;
  expiresAt: Date | null;
}

/** The decision in a notice; undefined: it is about something else. Errors: parameter_invalid. */
export function decisionIn(body: string, now: Date): IdentityDecision | undefined {
  const content = parsed(body);
  if ((content as { type?: unknown } | null)?.type !== 'identity.decided') return undefined;
  const { data, error } = NOTICE.safeParse(content);
  if (!data) throw fail('parameter_invalid', { field: error.issues[0]?.path.join('.') || 'body' });
  const { decided_at: decidedAt, expires_at: expiresAt = null, ...rest } = data.data;
  // What is decided in the future would outlast every later word.
  if (decidedAt > after(now, TOLERANCE_MS)) throw fail('parameter_invalid', { field: 'data.decided_at' });
  return { ...rest, decidedAt, expiresAt };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw fail('parameter_invalid', { field: 'body', reason: because('body_not_json') });
  }
}

/** How long a link to the vendor can be opened. */
const LINK_MS = 15 * MINUTE;

export interface CheckLink {
  url: string;
  account: string;
  language: string;
  /** Where the vendor leads the customer back to. */
  returnUrl: string;
}

/**
 * The link by which a customer begins a check. Its parameters `account`, `language`, `return_url` and `expires` (unix seconds) are signed: `signature` is the
 * hexadecimal HMAC-SHA-256, with the secret's bytes, of their values in this order, each with a line end behind it.
 */
export function checkLink({ url, account, language, returnUrl }: CheckLink, secret: string, now: Date): string {
  const expires = String(Math.floor(after(now, LINK_MS).getTime() / 1_000));
  const values = { account, language, return_url: returnUrl, expires };
  const signature = hmacBy(
    secret,
    Object.values(values)
      .map((value) => `${value}\n`)
      .join(''),
  ).toString('hex');
  const link = new URL(url);
  for (const [name, value] of Object.entries({ ...values, signature })) link.searchParams.set(name, value);
  return link.href;
}
