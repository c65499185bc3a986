// The pages that a customer sees: the payment form, the bank's challenge, and the final pages.
import { html } from 'hono/html';
import type Stripe from 'stripe';
import { page, table } from '../page.ts';
import type { Markup } from '../page.ts';
import { rhythmOf, toRhythmText } from './billing/period.ts';
import { takesDelayed } from './delayed.ts';
import { MERCHANT } from './merchant.ts';
import { toPrice } from './prices.ts';
import type { Checkout } from './state.ts';
import { TEST_CARDS } from './test-cards.ts';

export const VENDOR = 'Sandbox card processor';

const spaced = (number: string): string => number.replace(/(.{4})(?=.)/g, '$1 ');
const totalOf = (session: Stripe.Checkout.Session): string => toPrice(session.amount_total ?? 0, session.currency ?? 'usd');

/** The payment form. `error`: the last refusal, as a sentence for the customer. */
export function formPage({ session, lines }: Checkout, expiry: string, error: string | null): Markup {
  const askEmail = session.customer_details === null;
  const saves = session.mode === 'setup';
  const body = html`
    ${error === null ? '' : html`<p class="alert" role="alert">${error}</p>`}
    ${saves ? html`<p>Your card is saved for later. Nothing is charged now.</p>` : order(session, lines)}
    <form method="post" autocomplete="off">
      <h2>${saves ? 'Your card' : 'Pay by card'}</h2>
      ${
        askEmail
          ? html`<div class="field">
              <label for="email">E-mail</label><input id="email" name="email" type="email" required maxlength="320" />
            </div>`
          : html`<p class="quiet">Receipt to ${session.customer_details?.email}</p>`
      }
      <div class="field">
        <label for="number">Card number</label>
        <input id="number" name="number" inputmode="numeric" required maxlength="23" value="${spaced('4242424242424242')}" />
      </div>
      <div class="pair">
        <div class="field">
          <label for="expiry">Expiry (MM/YY)</label><input id="expiry" name="expiry" required maxlength="7" value="${expiry}" />
        </div>
        <div class="field">
          <label for="cvc">CVC</label><input id="cvc" name="cvc" inputmode="numeric" required maxlength="4" value="123" />
        </div>
      </div>
      ${session.custom_text.submit ? html`<p class="quiet">${session.custom_text.submit.message}</p>` : ''}
      <button class="primary" name="action" value="pay">${saves ? 'Save card' : `Pay ${totalOf(session)}`}</button>
      <button name="action" value="decline" formnovalidate>Decline</button>
      ${takesDelayed(session) ? html`<button name="action" value="debit" formnovalidate>Pay by bank debit, in days</button>` : ''}
      ${session.cancel_url === null ? '' : html`<a class="button" href="${session.cancel_url}">Cancel and go back</a>`}
    </form>
    <details>
      <summary class="quiet">Cards to test with</summary>
      ${table({
        columns: ['What happens', 'Number'],
        rows: TEST_CARDS.map((card) => [card.about, html`<code>${spaced(card.number)}</code>`]),
      })}
    </details>
  `;
  return page({ vendor: VENDOR, title: saves ? `Save a card with ${MERCHANT}` : `Pay ${MERCHANT}`, body }, 'narrow');
}

const order = (session: Stripe.Checkout.Session, lines: Stripe.LineItem[]): Markup =>
  table({
    caption: 'Your order',
    columns: ['Item', 'Quantity', 'Amount'],
    rows: lines.map((line) => [`${line.description}${rhythm(line)}`, line.quantity, toPrice(line.amount_total, line.currency)]),
    foot: ['Total', '', totalOf(session)],
  });

const rhythm = ({ price }: Stripe.LineItem): string => (price?.recurring ? `, every ${toRhythmText(rhythmOf(price))}` : '');

const question = (session: Stripe.Checkout.Session): Markup =>
  session.mode === 'setup'
    ? html`Your bank asks you to confirm that ${MERCHANT} may charge this card later.`
    : html`Your bank asks you to confirm the payment of <strong>${totalOf(session)}</strong> to ${MERCHANT}.`;

/** The page on which the bank asks the customer to confirm. */
export function challengePage({ session }: Checkout): Markup {
  const body = html`
    <p>${question(session)}</p>
    <form method="post">
      <button class="primary" name="outcome" value="complete">Complete authentication</button>
      <button name="outcome" value="fail">Fail authentication</button>
    </form>
  `;
  return page({ vendor: VENDOR, title: 'Confirm with your bank', body }, 'narrow');
}

/** A final page: a sentence, and one link. */
export function endPage(title: string, sentence: string, link: { href: string; label: string } | null): Markup {
  const body = html`
    <p>${sentence}</p>
    ${link === null ? '' : html`<a class="button" href="${link.href}">${link.label}</a>`}
  `;
  return page({ vendor: VENDOR, title, body }, 'narrow');
}
