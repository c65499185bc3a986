// A client of the crypto processor for its tests: plain HTTP, since there is no official library.
import { createHmac } from 'node:crypto';
import type { CryptoEvent } from '../../sandbox/crypto/books.ts';
import { CRYPTO_STORE_ID } from '../../sandbox/crypto/store.ts';
import { SECRETS } from './world.ts';
import type { World } from './world.ts';

export interface Answer<Body> {
  status: number;
  body: Body;
}
export interface InvoiceData {
  id: string;
  status: string;
  additionalStatus: string;
  amount: string;
  paidAmount: string;
  checkoutLink: string;
  availableStatusesForManualMarking: string[];
  [field: string]: unknown;
}

export interface CryptoClient {
  call<Body>(method: string, path: string, body?: unknown, token?: string): Promise<Answer<Body>>;
  create(more?: object): Promise<InvoiceData>;
  read(id: string): Promise<InvoiceData>;
  /** The events that arrived, in order. Throws for a wrong signature. */
  events(): (CryptoEvent & Record<string, unknown>)[];
  types(): string[];
}

export const STORE = `/stores/${CRYPTO_STORE_ID}`;

export function cryptoClient({ sandbox, receiver }: World): CryptoClient {
  const client: CryptoClient = {
    async call<Body>(method: string, path: string, body?: unknown, token = SECRETS.cryptoApiKey) {
      const answer = await fetch(`${sandbox.urls.crypto}/api/v1${path}`, {
        method,
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as Body };
    },
    async create(more = {}) {
      const { status, body } = await client.call<InvoiceData>('POST', `${STORE}/invoices`, {
        amount: '25.00',
        currency: 'USD',
        metadata: { orderId: 'ord_1' },
        ...more,
      });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body;
    },
    read: async (id) => (await client.call<InvoiceData>('GET', `/invoices/${id}`)).body,
    events: () =>
      receiver.received
        .filter(({ path }) => path === '/webhooks/crypto')
        .map(({ body, headers }) => {
          const wanted = `sha256=${createHmac('sha256', SECRETS.cryptoWebhookSecret).update(body).digest('hex')}`;
          if (headers['btcpay-sig'] !== wanted) throw new Error('bad signature');
          return JSON.parse(body) as CryptoEvent & Record<string, unknown>;
        }),
    types: () => client.events().map(({ type }) => type),
  };
  return client;
}
