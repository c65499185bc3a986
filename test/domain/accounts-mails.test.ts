import { expect, test } from 'vitest';
import { MAILS, type MailData, type MailKind } from '../../subgraphs/accounts/domain/mails.ts';

const url = 'https://egress.example/page?token=abc&next=1';
const masked = 'egress_live_...a1B2';

/** One of each kind: a new mail needs a line here. */
const SAMPLES: { [Kind in MailKind]: MailData<Kind> } = {
  verify_email: { url, hours: 24 },
  account_exists: { url },
  recover: { url, hours: 1 },
  password_changed: { url },
  email_change_old: { email: 'new@example.com', url, hours: 24 },
  email_change_new: { url, hours: 24 },
  email_changed: { email: 'new@example.com' },
  new_log_in: { device: 'Firefox on Linux', address: '192.0.2.1', at: '2026-01-15 12:00 UTC', url },
  factors_changed: { what: 'the passkey "<b>My phone</b>" was added', url },
  account_closed: { kept: ['Orders, payments and invoices: 3650 days, books must be kept for ten years.'] },
  key_asked: { account: 'ada@example.com', what: 'a partner key', url },
  key_expiring: { masked, days: 7, at: '2026-01-22 12:00 UTC', url },
  key_issued: { masked, url },
  transfer_asked: { account: 'ada@example.com', title: 'Premium, 200 GB', reference: 'ord_1', amount: '800.00 USD', url },
  transfer_credited: { title: 'Premium, 200 GB', amount: '15.00 USD', url },
  balance_low: { title: 'Premium, 5 GB', percent: 80, url },
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
