// PayPal's pages: a payer approves an order or future charges; and the list of payments.
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { NodeBindings } from '../listener.ts';
import { type Markup, type VendorUrls, page, pageHeaders, table, vendorLinks } from '../page.ts';
import type { Books } from './books.ts';
import { approve, passTime } from './order.ts';
import { payerBy } from './payer.ts';
import { FUNDINGS, type Funding, type PayPalOrder } from './state.ts';

const VENDOR = 'Sandbox PayPal';

/** The label of each way to pay on the page. */
const LABELS: Partial<Record<Funding, string>> = {
  balance: 'Pay from the balance',
  echeck: 'Pay by bank account (takes days)',
  review: 'Pay, and be reviewed (takes days)',
  INSTRUMENT_DECLINED: 'Pay by a card that is declined',
};

const form = (buttons: Markup): Markup =>
  html` <form method="post">
    <div class="field">
      <label for="email">PayPal account</label> <input id="email" name="email" type="email" value="buyer@paypal.test" required />
    </div>
    ${buttons}
    <button name="funding" value="cancel" formnovalidate>Cancel and return</button>
  </form>`;

const offered = (): Markup[] =>
  Object.entries(LABELS).map(
    ([funding, label], index) => html`<button class="${index === 0 ? 'primary' : ''}" name="funding" value="${funding}">${label}</button>`,
  );

const back = (address: string, more: Record<string, string>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(more)) url.searchParams.set(name, value);
  return url.href;
};

export function createPayPalSite(books: Books, vendors: () => VendorUrls): Hono<NodeBindings> {
  const site = new Hono<NodeBindings>();
  const openOrder = (id: string | undefined): PayPalOrder | undefined => {
    passTime(books);
    const order = id === undefined ? undefined : books.state.orders[id];
    return order && order.status !== 'COMPLETED' ? order : undefined;
  };

  site.get('/', async (c) => c.html(await listPage(books, vendorLinks(vendors())), 200, pageHeaders));

  site.get('/checkoutnow', async (c) => {
    const order = openOrder(c.req.query('token'));
    if (!order) return c.text('This payment is over', 404);
    const { value, currency_code: currency } = order.unit.amount;
    const body = html`<p>${order.unit.description ?? ''}</p>
      ${order.vault ? html`<p class="quiet">You agree that Egress charges this account later, too.</p>` : ''}${form(html`${offered()}`)}`;
    return c.html(await page({ vendor: VENDOR, title: `Pay ${value} ${currency}`, body }, 'narrow'), 200, pageHeaders);
  });
  site.post('/checkoutnow', async (c) => {
    const order = openOrder(c.req.query('token'));
    if (!order?.returnUrl || !order.cancelUrl) return c.text('This payment is over', 404);
    const data = await c.req.formData();
    const funding = String(data.get('funding'));
    if (!isFunding(funding)) return c.redirect(back(order.cancelUrl, { token: order.id }), 303);
    const payer = payerBy(books, String(data.get('email')), funding);
    approve(books, order, payer.id);
    return c.redirect(back(order.returnUrl, { token: order.id, PayerID: payer.id }), 303);
  });

  site.get('/agreements/approve', async (c) => {
    const token = books.state.setupTokens[c.req.query('approval_session_id') ?? ''];
    if (token?.status !== 'PAYER_ACTION_REQUIRED') return c.text('This agreement is over', 404);
    const agree = html`<button class="primary" name="funding" value="balance">Agree</button>`;
    return c.html(
      await page({ vendor: VENDOR, title: 'Let Egress charge this account later', body: form(agree) }, 'narrow'),
      200,
      pageHeaders,
    );
  });
  site.post('/agreements/approve', async (c) => {
    const token = books.state.setupTokens[c.req.query('approval_session_id') ?? ''];
    if (token?.status !== 'PAYER_ACTION_REQUIRED') return c.text('This agreement is over', 404);
    const data = await c.req.formData();
    const funding = String(data.get('funding'));
    const named = { approval_token_id: token.id, approval_session_id: token.id };
    if (!isFunding(funding)) return c.redirect(back(token.cancelUrl, named), 303);
    Object.assign(token, { status: 'APPROVED', payerId: payerBy(books, String(data.get('email')), funding).id });
    books.changed();
    return c.redirect(back(token.returnUrl, named), 303);
  });
  return site;
}

const isFunding = (text: string): text is Funding => (FUNDINGS as readonly string[]).includes(text);

function listPage(books: Books, links: Markup): Markup {
  const captures = Object.values(books.state.captures).toReversed().slice(0, 50);
  const body = html`<p class="quiet">The last payments. A payment page opens from the shop.</p>
    ${table({
      columns: ['Order', 'Status', 'Amount'],
      rows: captures.map(({ orderId, status, amount }) => [
        books.state.orders[orderId]?.unit.custom_id ?? orderId,
        status,
        `${amount.value} ${amount.currency_code}`,
      ]),
    })}
    ${links}`;
  return page({ vendor: VENDOR, title: 'Payments', body });
}
