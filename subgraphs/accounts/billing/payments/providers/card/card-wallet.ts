// The customer of an account at the card processor, and its saved cards. Card numbers never come here.
import Stripe from 'stripe';
import type { Wallet } from '../saved-means.ts';

export const createCardWallet = (stripe: Stripe): Wallet => ({
  async customer({ accountId, email }) {
    const made = await stripe.customers.create(
      { metadata: { account_id: accountId }, ...(email !== undefined && { email }) },
      { idempotencyKey: `${accountId}:customer` },
    );
    return made.id;
  },

  async list(customerId) {
    const { data } = await stripe.paymentMethods.list({ customer: customerId, type: 'card', limit: 100 });
    return data.map(({ id, card }) => ({
      id,
      brand: card?.brand ?? 'card',
      lastFour: card?.last4 ?? '',
      expiryMonth: card?.exp_month ?? 0,
      expiryYear: card?.exp_year ?? 0,
    }));
  },

  async openPage({ accountId, customerId, successUrl, cancelUrl, key }) {
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

  async remove(meansId) {
    await stripe.paymentMethods.detach(meansId);
  },

  async forget(customerId) {
    try {
      await stripe.customers.del(customerId);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing')) throw error;
    }
  },
});
