// Who an account is at the card processor, and the cards that are saved there. Their numbers never come here.
import type Stripe from 'stripe';

export interface SavedCard {
  id: string;
  brand: string;
  lastFour: string;
  expiryMonth: number;
  expiryYear: number;
}

export interface CardWallet {
  /** The same account gives the same customer, for a day; its id is kept by the caller. */
  customer(request: { accountId: string; email: string | undefined }): Promise<string>;
  /** Newest first. */
  cards(customerId: string): Promise<SavedCard[]>;
  openCardPage(request: { accountId: string; customerId: string; successUrl: string; cancelUrl: string; key: string }): Promise<string>;
  removeCard(cardId: string): Promise<void>;
}

export const createCardWallet = (stripe: Stripe): CardWallet => ({
  async customer({ accountId, email }) {
    const made = await stripe.customers.create(
      { metadata: { account_id: accountId }, ...(email !== undefined && { email }) },
      { idempotencyKey: `${accountId}:customer` },
    );
    return made.id;
  },

  async cards(customerId) {
    const { data } = await stripe.paymentMethods.list({ customer: customerId, type: 'card', limit: 100 });
    return data.map(({ id, card }) => ({
      id,
      brand: card?.brand ?? 'card',
      lastFour: card?.last4 ?? '',
      expiryMonth: card?.exp_month ?? 0,
      expiryYear: card?.exp_year ?? 0,
    }));
  },

  async openCardPage({ accountId, customerId, successUrl, cancelUrl, key }) {
    const session = await stripe.checkout.sessions.create(
      {
        mode: 'setup',
        customer: customerId,
        currency: 'usd',
        metadata: { account_id: accountId },
        success_url: successUrl,
        cancel_url: cancelUrl,
      },
      { idempotencyKey: key },
    );
    if (!session.url) throw new Error(`checkout ${session.id} has no address`);
    return session.url;
  },

  async removeCard(cardId) {
    await stripe.paymentMethods.detach(cardId);
  },
});
