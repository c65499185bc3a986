// The checkout page: the address and amount to pay, and buttons that pay it.
import { html } from 'hono/html';
import { page, table } from '../page.ts';
import type { Markup } from '../page.ts';
import { paidCents } from './invoice.ts';
import { toCoins, toDecimal } from './money.ts';
import type { CryptoInvoice } from './state.ts';
import { CURRENCY, STORE_NAME } from './store.ts';

export const VENDOR = 'Sandbox crypto processor';

export type Action = 'pay_full' | 'pay_less' | 'pay_more' | 'confirm';

const SENTENCES: Record<CryptoInvoice['status'], string> = {
  New: 'Waiting for your payment.',
  Processing: 'Your payment has arrived and waits for its confirmation.',
  Settled: 'Paid and confirmed.',
  Expired: 'The time to pay has passed.',
  Invalid: 'This invoice is no longer valid.',
};

const about = (invoice: CryptoInvoice): string => {
  if (invoice.additionalStatus === 'PaidPartial') return ' Less than the full amount has arrived.';
  if (invoice.additionalStatus === 'PaidOver') return ' More than the amount has arrived.';
  if (invoice.additionalStatus === 'PaidLate') return ' The payment came too late.';
  return '';
};

/** The amount of each button: the amount due, half of it, or one and a half times. */
export function centsOf(action: Exclude<Action, 'confirm'>, invoice: CryptoInvoice): number {
  const due = Math.max(invoice.cents - paidCents(invoice), 1);
  if (action === 'pay_full') return due;
  return action === 'pay_less' ? Math.max(1, Math.floor(due / 2)) : due + Math.ceil(due / 2);
}

export function invoicePage(invoice: CryptoInvoice): Markup {
  const due = Math.max(0, invoice.cents - paidCents(invoice));
  const unconfirmed = invoice.payments.some((payment) => !payment.settled);
  const button = (action: Action, label: string, primary = false): Markup =>
    html`<button class="${primary ? 'primary' : ''}" name="action" value="${action}">${label}</button>`;
  const back = invoice.checkout.redirectURL;
  const body = html`
    <p role="status"><strong>${SENTENCES[invoice.status]}</strong>${about(invoice)}</p>
    ${table({
      columns: ['', 'BTC', CURRENCY],
      rows: [
        ['Amount', toCoins(invoice.cents), toDecimal(invoice.cents)],
        ['Paid', toCoins(paidCents(invoice)), toDecimal(paidCents(invoice))],
      ],
      foot: ['Due', toCoins(due), toDecimal(due)],
    })}
    ${typeof invoice.metadata['itemDesc'] === 'string' ? html`<p class="quiet">${invoice.metadata['itemDesc']}</p>` : ''}
    <p class="quiet">To <code>${invoice.destination}</code></p>
    <form method="post">
      ${
        due > 0 && invoice.status !== 'Settled'
          ? html`${button('pay_full', 'Pay in full', true)}${button('pay_less', 'Pay less')}${button('pay_more', 'Pay more')}`
          : ''
      }
      ${unconfirmed ? button('confirm', 'Confirm', due === 0) : ''}
    </form>
    ${back === null ? '' : html`<a class="button" href="${back}">Return to ${STORE_NAME}</a>`}
  `;
  return page({ vendor: VENDOR, title: `Pay ${STORE_NAME} ${toDecimal(invoice.cents)} ${CURRENCY}`, body }, 'narrow');
}

export function listPage(invoices: CryptoInvoice[], links: Markup): Markup {
  const body = html`
    <p class="quiet">The last invoices. A payment page opens from the shop.</p>
    ${table({
      columns: ['Invoice', 'Status', 'Amount'],
      rows: invoices.map((invoice) => [
        html`<a href="/i/${invoice.id}">${String(invoice.metadata['orderId'] ?? invoice.id)}</a>`,
        invoice.additionalStatus === 'None' ? invoice.status : `${invoice.status}, ${invoice.additionalStatus}`,
        `${invoice.amount} ${CURRENCY}`,
      ]),
    })}
    ${links}
  `;
  return page({ vendor: VENDOR, title: 'Invoices', body });
}
