// The page on which the customer authenticates an intent with the bank, and the page of an invoice.
import { Hono } from 'hono';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { NodeBindings } from '../listener.ts';
import { page, pageHeaders, table } from '../page.ts';
import type { Markup } from '../page.ts';
import { authenticate } from './authenticate.ts';
import type { Challenged } from './authenticate.ts';
import { intentOf } from './billing/settle.ts';
import type { Books } from './books.ts';
import { endPage, VENDOR } from './checkout-page.ts';
import { toPrice } from './prices.ts';
import { MERCHANT } from './merchant.ts';
import { rowOf } from './state.ts';

type Ask = Context<NodeBindings>;

const show = async (c: Ask, markup: Markup, status: 200 | 404 = 200): Promise<Response> => c.html(await markup, status, pageHeaders);

/** The routes under /c/confirm. */
export function createConfirmSite(books: Books): Hono<NodeBindings> {
  const site = new Hono<NodeBindings>();
  const find = (c: Ask): Challenged | undefined => {
    const id = c.req.param('id') ?? '';
    return rowOf(books.state.intents, id) ?? rowOf(books.state.setupIntents, id);
  };
  site.on('GET', ['/:id', '/:id/*'], (c) => {
    const intent = find(c);
    if (intent?.status !== 'requires_action') return show(c, endPage('Nothing to confirm', 'Your bank is not waiting for you.', null), 404);
    const what = intent.object === 'setup_intent' ? 'that this card is saved' : `the payment of ${toPrice(intent.amount, intent.currency)}`;
    const body = html`
      <p>Your bank asks you to confirm ${what} to ${MERCHANT}.</p>
      <form method="post">
        <button class="primary" name="outcome" value="complete">Complete authentication</button>
        <button name="outcome" value="fail">Fail authentication</button>
      </form>
    `;
    return show(c, page({ vendor: VENDOR, title: 'Confirm with your bank', body }, 'narrow'));
  });
  site.post('/:id', async (c) => {
    const values = await c.req.formData();
    const intent = find(c);
    if (!intent) return show(c, endPage('Nothing to confirm', 'This address belongs to no payment.', null), 404);
    const back = intent.next_action?.redirect_to_url?.return_url;
    authenticate(books, intent.id, values.get('outcome') === 'complete');
    if (back) {
      const url = new URL(back);
      url.searchParams.set(intent.object, intent.id);
      url.searchParams.set('redirect_status', intent.status === 'succeeded' ? 'succeeded' : 'failed');
      return c.redirect(url.href, 303);
    }
    const sentence =
      intent.status === 'succeeded' ? 'Confirmed. You can close this page.' : 'Your bank did not confirm it. Nothing was charged.';
    return show(c, endPage('Your bank has answered', sentence, null));
  });
  return site;
}

/** The routes under /i: an invoice, with a link to the authentication that it waits for. */
export function createInvoiceSite(books: Books): Hono<NodeBindings> {
  return new Hono<NodeBindings>().get('/:id', (c) => {
    const invoice = rowOf(books.state.invoices, c.req.param('id') ?? '');
    if (!invoice) return show(c, endPage('No such invoice', 'This address belongs to no invoice.', null), 404);
    const waiting = intentOf(books, invoice)?.next_action?.redirect_to_url?.url;
    const body = html`
      <p class="quiet">${MERCHANT} · ${invoice.status}</p>
      ${table({
        columns: ['Item', 'Amount'],
        rows: invoice.lines.data.map((line) => [line.description, toPrice(line.amount, line.currency)]),
        foot: ['Due', toPrice(invoice.amount_due, invoice.currency)],
      })}
      ${(invoice.custom_fields ?? []).map(({ name, value }) => html`<p class="quiet">${name}: ${value}</p>`)}
      ${invoice.footer === null ? '' : html`<p class="quiet">${invoice.footer}</p>`}
      ${waiting ? html`<a class="button" href="${waiting}">Confirm with your bank</a>` : ''}
    `;
    return show(c, page({ vendor: VENDOR, title: `Invoice ${invoice.number ?? 'draft'}`, body }, 'narrow'));
  });
}
