import { expect, test } from 'vitest';
import { MAILS, type MailData, type MailKind } from '../../../subgraphs/accounts/mails.ts';

const url = 'https://egress.example/page?token=abc&next=1';
const masked = 'egress_live_...a1B2';

/** One of each kind: a new mail needs a line here. */
const SAMPLES: { [Kind in MailKind]: MailData<Kind> } = {
  verify_email: { url, hours: 24 },
  account_exists: { url },
  recover: { url, hours: 2 },
  password_changed: { url },
  email_change_old: { email: 'new@example.com', url, hours: 24 },
  email_change_new: { url, hours: 24 },
  email_changed: { email: 'new@example.com' },
  new_log_in: { device: 'Firefox on Linux', address: '192.0.2.1', at: '2026-01-15 12:00 UTC', url },
  device_link: { url, hours: 2 },
  second_factor_wrong: { device: 'Firefox on Linux', address: '192.0.2.1', at: '2026-01-15 12:00 UTC', url },
  factors_changed: { what: 'the passkey "<b>My phone</b>" was added', url },
  account_closed: { kept: ['Orders, payments and invoices: 3650 days, books must be kept for ten years.'] },
  key_asked: { account: 'ada@example.com', what: 'a partner key', url },
  key_expiring: { masked, days: 7, at: '2026-01-22 12:00 UTC', url },
  key_issued: { masked, url },
  transfer_asked: { account: 'ada@example.com', title: 'Premium, 200 GB', reference: 'ord_1', amount: '800.00 USD', url },
  transfer_credited: { title: 'Premium, 200 GB', amount: '15.00 USD', url },
  transfer_terms: {
    title: 'Premium, 200 GB',
    reference: 'ord_1',
    amount: '800.00 USD',
    bank: ['Example Bank', 'IBAN XX00 0000'],
    until: '2026-02-01',
    url,
  },
  sales_asked: { account: 'ada@example.com', product: 'Premium', volume: '5 TB a month', message: 'From May on.', url },
  offer_made: { title: 'Premium, 5,000 GB', terms: '5 TB at 2.90 USD', total: '14500.00 USD', until: '2026-02-14', url },
  crypto_credited: { title: 'Premium, 5 GB', amount: '2.50 USD', url: 'https://egress.example/billing' },
  server_ready: { hostname: 'web-1', url },
  server_deleted: { hostname: 'web-1' },
  balance_low: { title: 'Premium, 5 GB', percent: 80, url },
  stock_available: { title: 'ISP Northline', quantity: 25, url },
  downtime_credited: { amount: '0.04 USD', reason: 'Addresses were down for 5.0 hours: more than 0.5 % of the period.', url },
  change_not_made: { title: 'Upgrade to Broglie', amount: '15.00 USD', url },
  renewal_due: { title: 'VPS Plank, 1 month', amount: '1,200.00 USD', due: '2026-02-15', url },
  renewal_failed: {
    title: 'VPS Plank, 1 month',
    reason: 'Your card was declined.',
    amount: '16.99 USD',
    attempt: 1,
    attempts: 4,
    next: '2026-02-16',
    url,
  },
  renewal_suspended: {
    title: 'VPS Plank, 1 month',
    reason: 'Your card was declined.',
    amount: '16.99 USD',
    attempt: 4,
    attempts: 4,
    next: '2026-02-16',
    url,
  },
  removal_near: { title: 'VPS Plank, 1 month', on: '2026-02-27', url },
  subscription_ended: { title: 'VPS Plank, 1 month', unpaid: true, url },
  not_delivered: { title: 'VPS Plank, 1 month', amount: '16.99 USD', url },
  order_paid: { title: 'Premium, 5 GB', total: '$25.00', url },
};

test.each(Object.keys(SAMPLES) as MailKind[])('%s', (kind) => {
  const mail = MAILS[kind]({ brand: 'Egress', ...SAMPLES[kind] } as never);
  expect(mail).toMatchSnapshot();
});

test('a package that is used up is said to have stopped', () => {
  const mail = MAILS.balance_low({ brand: 'Egress', ...SAMPLES.balance_low, percent: 100 });
  expect([mail.subject, mail.text]).toEqual(['Used up: Premium, 5 GB', expect.stringContaining('have stopped')]);
});

test('what people typed is text in the HTML, and every link is in both parts', () => {
  const mail = MAILS.factors_changed({ brand: 'Egress', ...SAMPLES.factors_changed });
  expect(mail.html).not.toContain('<b>');
  expect(mail.text).toContain(url);
  expect(mail.html).toContain(url.replaceAll('&', '&#38;'));
});
