// The payment site: the URL to which an invoice sends the customer.
import { Hono } from 'hono';
import type { NodeBindings } from '../listener.ts';
import { pageHeaders, vendorLinks } from '../page.ts';
import type { VendorUrls } from '../page.ts';
import type { Books } from './books.ts';
import { CONFIRMATIONS } from './store.ts';
import { centsOf, invoicePage, listPage } from './page.ts';
import type { Action } from './page.ts';
import { confirm, passTime, receive } from './payment.ts';
import type { CryptoInvoice } from './state.ts';

const ACTIONS = new Set<string>(['pay_full', 'pay_less', 'pay_more', 'confirm']);

export function createCryptoSite(books: Books, vendors: () => VendorUrls): Hono<NodeBindings> {
  const site = new Hono<NodeBindings>();
  const find = (id: string): CryptoInvoice | undefined => {
    passTime(books);
    return Object.hasOwn(books.state.invoices, id) ? books.state.invoices[id] : undefined;
  };
  site.get('/', async (c) => {
    const invoices = Object.values(books.state.invoices).toReversed().slice(0, 50);
    return c.html(await listPage(invoices, vendorLinks(vendors())), 200, pageHeaders);
  });
  site.get('/i/:id', async (c) => {
    const invoice = find(c.req.param('id'));
    return invoice ? c.html(await invoicePage(invoice), 200, pageHeaders) : c.text('No such invoice', 404);
  });
  site.post('/i/:id', async (c) => {
    const action = String((await c.req.formData()).get('action'));
    const invoice = find(c.req.param('id'));
    if (!invoice || !ACTIONS.has(action)) return c.text('No such invoice', 404);
    act(books, invoice, action as Action);
    const { redirectURL: back, redirectAutomatically: away } = invoice.checkout;
    return c.redirect(away && back !== null && invoice.status !== 'New' ? back : `/i/${invoice.id}`, 303);
  });
  return site;
}

function act(books: Books, invoice: CryptoInvoice, action: Action): void {
  if (action === 'confirm') confirm(books, invoice, CONFIRMATIONS[invoice.checkout.speedPolicy]);
  // A second submission of a page that was paid meanwhile pays nothing.
  else if (invoice.status !== 'Settled' && invoice.status !== 'Processing') receive(books, invoice, centsOf(action, invoice));
}
