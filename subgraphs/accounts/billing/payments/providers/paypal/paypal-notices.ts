// PayPal's webhooks. Each names the certificate that it is signed with. https://developer.paypal.com/api/rest/webhooks/rest/
import { X509Certificate, verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { Clock } from '#platform/clock.ts';
import { fail } from '#platform/errors.ts';
import { Lru } from '#platform/lru.ts';
import type { Notice } from '../payment-processor.ts';
import type { PayPalTerms } from './configuration.ts';
import type { PayPalClient } from './paypal-client.ts';

/** The headers of a delivery, in the order in which their values are handed on. */
export const PAYPAL_HEADERS = [
  'paypal-auth-algo',
  'paypal-cert-url',
  'paypal-transmission-id',
  'paypal-transmission-time',
  'paypal-transmission-sig',
] as const;

/** The events that the inbox acts on; our webhook at PayPal subscribes to just these. */
export const PAYPAL_EVENTS = [
  'CHECKOUT.ORDER.APPROVED',
  'CHECKOUT.PAYMENT-APPROVAL.REVERSED',
  'CUSTOMER.DISPUTE.CREATED',
  'CUSTOMER.DISPUTE.RESOLVED',
  'CUSTOMER.DISPUTE.UPDATED',
  'PAYMENT.CAPTURE.COMPLETED',
  'PAYMENT.CAPTURE.DECLINED',
  'PAYMENT.CAPTURE.DENIED',
  'PAYMENT.CAPTURE.PENDING',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.CAPTURE.REVERSED',
  'PAYMENT.REFUND.FAILED',
  'PAYMENT.REFUND.PENDING',
  'VAULT.PAYMENT-TOKEN.CREATED',
  'VAULT.PAYMENT-TOKEN.DELETED',
] as const;

/** What is read of an event. */
export const eventShape = z.object({
  id: z.string().min(1),
  event_type: z.string(),
  resource: z.object({ id: z.string().optional(), dispute_id: z.string().optional(), order_id: z.string().optional() }),
});

/** How many certificates are kept. PayPal has a few; a forged delivery may name others, which soon fall out. */
const CERTIFICATES = 16;
const PATH = /^\/v1\/notifications\/certs\/CERT-[A-Za-z0-9-]{1,80}$/;

export interface NoticeParts {
  client: PayPalClient;
  clock: Clock;
  terms: Pick<PayPalTerms, 'webhookIds' | 'certificateOrigins'>;
}

export interface PayPalNotices {
  readNotice(body: string, signature: string): Promise<Notice | undefined>;
}

/** Throws `signature_invalid`. */
export function createPayPalNotices({ client, clock, terms }: NoticeParts): PayPalNotices {
  const certificates = new Lru<{ found: X509Certificate | undefined }>(CERTIFICATES);

  /** The certificate at an address of PayPal's API; any other address is refused, since it comes from a delivery that is not proven yet. */
  async function certificateAt(address: string): Promise<X509Certificate> {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (!url || !terms.certificateOrigins.includes(url.origin) || !PATH.test(url.pathname) || url.search || url.username)
      throw fail('signature_invalid');
    let known = certificates.get(url.href);
    if (!known) {
      known = { found: parsed(await client.text(url.href)) };
      certificates.set(url.href, known);
    }
    const now = clock.now();
    const { found } = known;
    if (!found || found.validFromDate > now || found.validToDate < now) throw fail('signature_invalid');
    return found;
  }

  return {
    async readNotice(body, signature) {
      const [algorithm, address = '', id, at, sent = '', ...more] = signature.split('\n');
      if (algorithm !== 'SHA256withRSA' || more.length > 0) throw fail('signature_invalid');
      const { publicKey } = await certificateAt(address);
      const signed = Buffer.from(sent, 'base64');
      const isTrue = terms.webhookIds.some((webhook) =>
        verify('sha256', Buffer.from(`${id}|${at}|${webhook}|${crc32(body)}`), publicKey, signed),
      );
      if (!isTrue) throw fail('signature_invalid');
      return toNotice(eventShape.safeParse(JSON.parse(body)).data);
    },
  };
}

/** The notice in an event; undefined: we do not act on such an event. */
export function toNotice(event: z.output<typeof eventShape> | undefined): Notice | undefined {
  if (!event || !(PAYPAL_EVENTS as readonly string[]).includes(event.event_type)) return undefined;
  const { dispute_id: disputeId, id, order_id: orderId } = event.resource;
  const objectId = disputeId ?? id ?? orderId;
  return objectId === undefined ? undefined : { id: event.id, type: event.event_type, objectId };
}

function parsed(pem: string | undefined): X509Certificate | undefined {
  try {
    return pem === undefined ? undefined : new X509Certificate(pem);
  } catch {
    return undefined;
  }
}
