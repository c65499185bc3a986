// PayPal accounts whose owners have agreed to be charged later. Vault v3: an agreement is a setup token, what is saved a payment token.
import { z } from 'zod';
import type { SavedMeans, Wallet } from '../saved-means.ts';
import { type PayPalClient, PayPalRefusal, isMissing } from './paypal-client.ts';
import { linksShape } from './paypal-order.ts';

const setupShape = z.object({
  id: z.string().min(1),
  status: z.string(),
  customer: z.object({ id: z.string().min(1) }),
  links: linksShape,
});
const tokenShape = z.object({
  id: z.string().min(1),
  customer: z.object({ id: z.string().min(1) }).optional(),
  payment_source: z.object({ paypal: z.object({ email_address: z.string().optional() }).optional() }).nullish(),
});
type Token = z.output<typeof tokenShape>;
const listShape = z.object({ payment_tokens: z.array(tokenShape).default([]), total_pages: z.number().optional() });

export interface PayPalVault extends Required<Wallet> {
  /** The customer to whom a payment token belongs; undefined: the token is gone. */
  ownerOf(tokenId: string): Promise<string | undefined>;
}

interface VaultTerms {
  brand: string;
  /** Of the platform. */
  publicUrl: string;
}

/** The most payment tokens that a page of PayPal's list has. */
const PAGE_SIZE = 20;
const TOKENS = '/v3/vault/payment-tokens';

export function createPayPalVault(client: PayPalClient, { brand, publicUrl }: VaultTerms): PayPalVault {
  const agree = async (requestId: string, urls: { return_url: string; cancel_url: string }, customerId?: string) => {
    const context = { brand_name: brand, shipping_preference: 'NO_SHIPPING', ...urls };
    const body = {
      ...(customerId !== undefined && { customer: { id: customerId } }),
      payment_source: { paypal: { usage_type: 'MERCHANT', experience_context: context } },
    };
    return setupShape.parse(await client.call('POST', '/v3/vault/setup-tokens', { requestId, body }));
  };
  const tokensOf = async (customerId: string): Promise<Token[]> => {
    const tokens: Token[] = [];
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = new URLSearchParams({
        customer_id: customerId,
        page_size: String(PAGE_SIZE),
        page: String(page),
        total_required: 'true',
      });
      const found = listShape.parse(await missingAs({}, () => client.call('GET', `${TOKENS}?${query}`)));
      tokens.push(...found.payment_tokens);
      pages = found.total_pages ?? 1;
    }
    return tokens;
  };
  const remove = (tokenId: string) => missingAs(undefined, () => client.call('DELETE', `${TOKENS}/${encodeURIComponent(tokenId)}`));
  return {
    // PayPal makes a customer with the first setup token; this token stays unused and expires after three days.
    async customer({ accountId }) {
      const page = `${publicUrl}/billing?tab=methods`;
      return (await agree(`${accountId}:customer`, { return_url: page, cancel_url: page })).customer.id;
    },

    list: async (customerId) => (await tokensOf(customerId)).map(toMeans),

    async openPage({ customerId, successUrl, cancelUrl, key }) {
      const { id, links } = await agree(key, { return_url: successUrl, cancel_url: cancelUrl }, customerId);
      const page = links.find(({ rel }) => rel === 'approve');
      if (!page) throw new Error(`setup token ${id} has no page`);
      return page.href;
    },

    finish: (customerId, returned) => finish(client, customerId, returned),
    async remove(tokenId) {
      await remove(tokenId);
    },
    async forget(customerId) {
      for (const { id } of await tokensOf(customerId)) await remove(id);
    },
    ownerOf: (tokenId) =>
      missingAs(undefined, async () => tokenShape.parse(await client.call('GET', `${TOKENS}/${encodeURIComponent(tokenId)}`)).customer?.id),
  };
}

/** Saves what was agreed to: `returned` has the setup token as `approval_token_id`. A token of another customer is refused. */
async function finish(client: PayPalClient, customerId: string, returned: string): Promise<string | undefined> {
  const id = new URLSearchParams(returned).get('approval_token_id') ?? '';
  if (!/^[0-9a-zA-Z_-]{7,36}$/.test(id)) return undefined;
  try {
    const setup = setupShape.parse(await client.call('GET', `/v3/vault/setup-tokens/${id}`));
    if (setup.customer.id !== customerId) return undefined;
    const body = { payment_source: { token: { id, type: 'SETUP_TOKEN' } } };
    return tokenShape.parse(await client.call('POST', TOKENS, { requestId: `${id}:save`, body })).id;
  } catch (error) {
    // The owner never agreed to it, or it has expired.
    if (error instanceof PayPalRefusal) return undefined;
    throw error;
  }
}

async function missingAs<Value>(nothing: Value, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    if (isMissing(error)) return nothing;
    throw error;
  }
}

const toMeans = ({ id, payment_source: source }: Token): SavedMeans => {
  const holder = source?.paypal?.email_address;
  return { id, brand: 'paypal', lastFour: '', ...(holder !== undefined && { holder }), expiryMonth: 0, expiryYear: 0 };
};
