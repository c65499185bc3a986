// Webhooks in the name of the crypto processor, from somebody without its secret. They carry no timestamp, so an old one can be replayed: the handler
// asks the processor for the present state.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCryptoProcessor } from '../../../../../subgraphs/accounts/billing/payments/providers/crypto/crypto-processor.ts';
import { type Random, createRandom } from '../../../../../sandbox/random.ts';

const [CURRENT, PREVIOUS] = ['crypto_current', 'crypto_previous'];
const crypto = createCryptoProcessor({ url: 'http://127.0.0.1:9', storeId: 'Store1', apiKey: 'none', webhookSecrets: [CURRENT, PREVIOUS] });

const BODY = JSON.stringify({
  deliveryId: 'Delivery2',
  originalDeliveryId: 'Delivery1',
  isRedelivery: true,
  type: 'InvoiceSettled',
  timestamp: 1_768_000_000,
  storeId: 'Store1',
  invoiceId: 'Invoice1',
});
const sign = (body: string, secret = CURRENT) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** Replaces one character of a text by another. */
function alter(text: string, random: Random): string {
  const at = random.below(text.length);
  const altered = text.slice(0, at) + String.fromCharCode(33 + random.below(90)) + text.slice(at + 1);
  return altered === text ? alter(text, random) : altered;
}

const FORGERIES: Record<string, (random: Random) => [body: string, signature: string]> = {
  'an altered body': (random) => [alter(BODY, random), sign(BODY)],
  'an altered signature': (random) => [BODY, alter(sign(BODY), random)],
  'another secret': (random) => [BODY, sign(BODY, `secret ${random.below(1e9)}`)],
  'a signature that is cut': (random) => [BODY, sign(BODY).slice(0, random.below(71))],
  'a signature with more behind it': (random) => [BODY, `${sign(BODY)}${'0'.repeat(1 + random.below(9))}`],
  'the signature of another algorithm': () => [BODY, `sha256=${createHmac('sha1', CURRENT).update(BODY).digest('hex')}`],
};
const EACH = 1_000;

test.each(Object.keys(FORGERIES))(`of ${EACH} notices with %s none is accepted`, (kind) => {
  const random = createRandom(1);
  const accepted: string[] = [];
  for (let count = 0; count < EACH; count++) {
    const [body, signature] = FORGERIES[kind]?.(random) ?? ['', ''];
    try {
      crypto.readNotice(body, signature);
      accepted.push(body);
    } catch (error) {
      if ((error as { code?: string }).code !== 'signature_invalid') throw error;
    }
  }
  expect(accepted).toEqual([]);
});

test('the true one is accepted under either secret, and a repeat has the id of the first', () => {
  for (const secret of [CURRENT, PREVIOUS])
    expect(crypto.readNotice(BODY, sign(BODY, secret))).toEqual({ id: 'Delivery1', type: 'InvoiceSettled', objectId: 'Invoice1' });
});

test('one that is about no invoice of our store is none of ours', () => {
  for (const body of [BODY.replace('Store1', 'Store2'), BODY.replace('"invoiceId":"Invoice1"', '"x":1')])
    expect(crypto.readNotice(body, sign(body))).toBeUndefined();
});
