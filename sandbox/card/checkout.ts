// The checkout site: the URL to which a session sends the customer, and its forms.
import { Hono } from 'hono';
import type { Context } from 'hono';
import type Stripe from 'stripe';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { NodeBindings } from '../listener.ts';
import { pageHeaders } from '../page.ts';
import type { Markup } from '../page.ts';
import type { Books } from './books.ts';
import { challengePage, endPage, formPage } from './checkout-page.ts';
import { promise, takesDelayed } from './delayed.ts';
import { completeChallenge, pay, successUrl } from './payment.ts';
import type { PaymentResult } from './payment.ts';
import { expireDueSessions } from './session.ts';
import { rowOf } from './state.ts';
import type { Checkout, EnteredCard } from './state.ts';
import { isCardNumber } from './test-cards.ts';

type Ask = Context<NodeBindings>;

/** The number that the button "Decline" enters. */
const DECLINED_CARD = '4000000000000002';

/** The routes under /c/pay. */
export function createCheckoutSite(books: Books): Hono<NodeBindings> {
  /** Cards expire three years after the sandbox's clock, whatever that says. */
  const expiry = (): string => `12/${String(yearOf(books.now()) + 3).slice(-2)}`;
  const form = (c: Ask, checkout: Checkout, error: string | null, status: ContentfulStatusCode = 200): Response | Promise<Response> =>
    show(c, formPage(checkout, expiry(), error), status);

  function answer(c: Ask, checkout: Checkout, result: PaymentResult): Response | Promise<Response> {
    switch (result.outcome) {
      case 'paid':
        return c.redirect(result.redirectUrl, 303);
      case 'challenge':
        return c.redirect(`/c/pay/${checkout.session.id}/challenge`, 303);
      case 'declined':
        return form(c, checkout, result.message, 402);
      case 'closed':
        return showClosed(c, checkout);
    }
  }

  const site = new Hono<NodeBindings>();
  const findOpen = (c: Ask): { checkout: Checkout } | { closed: Response | Promise<Response> } => {
    expireDueSessions(books);
    const checkout = rowOf(books.state.checkouts, c.req.param('id') ?? '');
    if (!checkout) return { closed: show(c, endPage('No such checkout', 'This address belongs to no checkout session.', null), 404) };
    return checkout.session.status === 'open' ? { checkout } : { closed: showClosed(c, checkout) };
  };

  site.get('/:id', (c) => {
    const found = findOpen(c);
    return 'closed' in found ? found.closed : form(c, found.checkout, null);
  });
  site.post('/:id', async (c) => {
    const values = await c.req.formData();
    const found = findOpen(c);
    if ('closed' in found) return found.closed;
    const { checkout } = found;
    if (checkout.challenged) return c.redirect(`/c/pay/${checkout.session.id}/challenge`, 303);
    if (values.get('action') === 'debit' && takesDelayed(checkout.session)) {
      promise(books, checkout);
      return c.redirect(successUrl(checkout.session), 303);
    }
    const entered = readCard(values, yearOf(books.now()), monthOf(books.now()));
    if (typeof entered === 'string') return form(c, checkout, entered, 400);
    const email = String(values.get('email') ?? '').trim();
    return answer(c, checkout, pay(books, checkout, entered, email || null));
  });
  site.get('/:id/challenge', (c) => {
    const found = findOpen(c);
    if ('closed' in found) return found.closed;
    return found.checkout.challenged ? show(c, challengePage(found.checkout)) : c.redirect(`/c/pay/${found.checkout.session.id}`, 303);
  });
  site.post('/:id/challenge', async (c) => {
    const values = await c.req.formData();
    const found = findOpen(c);
    if ('closed' in found) return found.closed;
    return answer(c, found.checkout, completeChallenge(books, found.checkout, values.get('outcome') === 'complete'));
  });
  return site;
}

const yearOf = (unixSeconds: number): number => new Date(unixSeconds * 1000).getUTCFullYear();
const monthOf = (unixSeconds: number): number => new Date(unixSeconds * 1000).getUTCMonth() + 1;

async function show(c: Ask, markup: Markup, status: ContentfulStatusCode = 200): Promise<Response> {
  return c.html(await markup, status, pageHeaders);
}

const closedSentence = ({ mode }: Stripe.Checkout.Session): string =>
  mode === 'setup' ? 'Your card is saved. Nothing was charged.' : 'This checkout is complete. You were charged once.';

/** A second submission of a paid form redirects as the first one did; an opened link shows what has happened. */
function showClosed(c: Ask, { session }: Checkout): Response | Promise<Response> {
  if (session.status === 'expired') {
    const back = session.cancel_url === null ? null : { href: session.cancel_url, label: 'Go back' };
    return show(c, endPage('This checkout has expired', 'Nothing was charged. Start again from the shop.', back), 410);
  }
  if (c.req.method === 'POST') return c.redirect(successUrl(session), 303);
  return show(
    c,
    endPage(session.mode === 'setup' ? 'Already saved' : 'Already paid', closedSentence(session), {
      href: successUrl(session),
      label: 'Continue',
    }),
  );
}

/** The entered card, or a sentence about what is wrong with it. */
function readCard(values: FormData, year: number, month: number): EnteredCard | string {
  if (values.get('action') === 'decline') return { number: DECLINED_CARD, expMonth: 12, expYear: year + 3 };
  const number = String(values.get('number') ?? '').replace(/[\s-]/g, '');
  if (!isCardNumber(number)) return 'Your card number is invalid.';
  const expiry = /^\s*(0?[1-9]|1[0-2])\s*\/\s*(?:20)?(\d\d)\s*$/.exec(String(values.get('expiry') ?? ''));
  if (expiry === null) return "Your card's expiration date is incomplete.";
  const card = { number, expMonth: Number(expiry[1]), expYear: 2000 + Number(expiry[2]) };
  if (card.expYear * 12 + card.expMonth < year * 12 + month) return "Your card's expiration date is in the past.";
  if (!/^\d{3,4}$/.test(String(values.get('cvc') ?? '').trim())) return "Your card's security code is incomplete.";
  return card;
}
