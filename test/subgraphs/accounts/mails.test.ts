import { describe, expect, test } from 'vitest';
import { because } from '#platform/errors.ts';
import type { Language } from '#platform/language.ts';
import { day, decimal, minute, sum } from '../../../subgraphs/accounts/mail/domain/german.ts';
import type { MailData, MailKind } from '../../../subgraphs/accounts/mail/domain/mail-kind.ts';
import { MAILS } from '../../../subgraphs/accounts/mails.ts';

const url = 'https://egress.example/page?token=abc&next=1';
const masked = 'egress_live_...a1B2';

/** Data for one mail of each kind. A new kind of mail needs a line here. */
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
  factors_changed: { what: { change: 'passkey_added', name: '<b>My phone</b>' }, url },
  subscription_ended_by_support: { title: 'VPS Plank', reason: 'As you wrote.', on: '2026-03-01', url: 'https://egress.example/billing' },
  credit_reversed: { amount: '$10.00', reason: 'A typing mistake.', url: 'https://egress.example/billing?tab=credit' },
  order_withdrawn: { title: 'Premium, 5 GB', reason: 'It did not work.', url: 'https://egress.example/orders/ord_1' },
  top_up_held: { title: 'Premium, +5 GB', ceiling: '50.00 USD', url: 'https://egress.example/residential/plan_1?tab=settings' },
  top_up_stopped: {
    title: 'Premium',
    why: 'DECLINED',
    words: 'Your card has insufficient funds.',
    url: 'https://egress.example/residential/plan_1?tab=settings',
  },
  plan_withdrawn: { title: 'Premium', size: '2.5 GB', reason: 'A gift by mistake.', url: 'https://egress.example/residential' },
  proxy_password_reset: { title: 'Premium', reason: 'It was found in public.', url: 'https://egress.example/residential/plan_1' },
  abuse_warned: { message: 'Port 22 was scanned.', caseId: 'abuse_1', until: '2026-01-18', writeTo: 'support@egress.example' },
  account_impersonated: {
    reason: 'You asked why a renewal failed.',
    at: '2026-01-15 12:00 UTC',
    writeTo: 'support@egress.example',
    url: 'https://egress.example/settings?tab=activity',
  },
  account_suspended: { reason: 'Mails were sent from it in bulk.', writeTo: 'support@egress.example' },
  account_restored: { reason: 'It was not you.', url: 'https://egress.example' },
  account_closed: { kept: [{ kind: 'BOOKS', days: 3650 }] },
  key_asked: { account: 'ada@example.com', what: 'a partner key', url },
  key_expiring: { masked, days: 7, at: '2026-01-22 12:00 UTC', url },
  key_issued: { masked, url },
  webhook_disabled: { address: 'https://hooks.example/egress', attempts: 10, gone: false, url },
  credit_waits: { amount: '12.34 USD', account: 'acct_1', url },
  credit_paid_out: {
    amount: '112.34 USD',
    parts: [
      { to: { en: 'the card that paid it', de: 'auf die Karte, die es bezahlt hat' }, amount: '12.34 USD' },
      { to: { en: 'your bank account', de: 'auf Ihr Bankkonto' }, amount: '100.00 USD' },
    ],
    reason: 'You asked for it',
  },
  pay_out_returned: { amount: '12.34 USD', url },
  credit_left: { amount: '12.34 USD', account: 'acct_1', support: 'support@egress.example' },
  dispute_opened: { title: 'Premium, 3 GB', amount: '12.50 USD', reason: 'the payer does not know the payment', until: '2026-01-24', url },
  dispute_due: { title: 'Premium, 3 GB', amount: '12.50 USD', until: '2026-01-24', url },
  fraud_warned: { title: 'Premium, 3 GB', kind: 'unauthorized_use_of_card', url },
  payout_failed: { amount: '23.97 USD', payout: 'po_1', url },
  refund_failed: { amount: '12.50 USD', why: 'expired_or_canceled_card', url },
  purchase_frozen: { title: 'Premium, 3 GB', support: 'support@egress.example', url },
  purchase_thawed: { title: 'Premium, 3 GB', support: 'support@egress.example', url },
  transfer_asked: { account: 'ada@example.com', title: 'Premium, 200 GB', reference: 'ord_1', amount: '800.00 USD', url },
  transfer_part: { title: 'Premium, 200 GB', reference: 'ord_1', arrived: '785.00 USD', left: '15.00 USD', until: '2026-02-01', url },
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
  staff_roles_changed: { roles: 'finance, support', url },
  offer_made: { title: 'Premium, 5,000 GB', terms: '5 TB, as in the last quarter.', total: '14500.00 USD', until: '2026-02-14', url },
  crypto_credited: { title: 'Premium, 5 GB', amount: '2.50 USD', url: 'https://egress.example/billing' },
  server_ready: { hostname: 'web-1', url },
  server_deleted: { hostname: 'web-1' },
  balance_low: { title: 'Premium, 5 GB', percent: 80, url },
  stock_available: { title: 'ISP Northline', quantity: 25, url },
  downtime_credited: { amount: '0.04 USD', reason: because('addresses_down', { hours: 5, percent: 0.5 }), url },
  change_not_made: { title: 'Upgrade to Broglie', amount: '15.00 USD', url },
  renewal_upcoming: { title: 'VPS Plank, 1 month', amount: '16.99 USD', on: '2026-02-15', lastFour: '4242', url },
  card_expires: { title: 'VPS Plank, 1 month', amount: '16.99 USD', on: '2026-02-15', lastFour: '4242', expires: '01/2026', url },
  renewal_due: { title: 'VPS Plank, 1 month', amount: '1200.00 USD', due: '2026-02-15', url },
  renewal_failed: {
    title: 'VPS Plank, 1 month',
    reason: because('card_refused', { words: 'Your card was declined.' }),
    amount: '16.99 USD',
    attempt: 1,
    attempts: 4,
    next: '2026-02-16',
    graceDays: 7,
    advice: 'add_money',
    url,
  },
  renewal_card_refused: {
    title: 'VPS Plank, 1 month',
    reason: because('card_refused', { words: 'Your card was declined.' }),
    amount: '16.99 USD',
    until: '2026-02-20',
    url,
  },
  renewal_suspended: {
    title: 'VPS Plank, 1 month',
    reason: because('card_refused', { words: 'Your card was declined.' }),
    amount: '16.99 USD',
    attempt: 4,
    attempts: 4,
    next: '2026-02-16',
    graceDays: 7,
    url,
  },
  removal_near: { title: 'VPS Plank, 1 month', on: '2026-02-27', url },
  subscription_ended: { title: 'VPS Plank, 1 month', unpaid: true, url },
  not_delivered: { title: 'VPS Plank, 1 month', amount: '16.99 USD', url },
  order_held: { title: 'Premium, 5 GB', url },
  order_refused: { title: 'Premium, 5 GB', amount: '25.00 USD', url },
  order_paid: { title: 'Premium, 5 GB', total: '$25.00', url },
};

const kinds = Object.keys(SAMPLES) as MailKind[];
const written = (kind: MailKind, language: Language = 'en', more: object = {}) =>
  MAILS[language][kind]({ brand: 'Egress', ...SAMPLES[kind], ...more } as never);

test.each(kinds)('%s', (kind) => {
  expect(written(kind)).toMatchSnapshot();
});

describe('in German', () => {
  const toStaff = [
    'credit_waits',
    'dispute_due',
    'dispute_opened',
    'fraud_warned',
    'key_asked',
    'payout_failed',
    'refund_failed',
    'sales_asked',
    'staff_roles_changed',
    'transfer_asked',
  ];

  test.each(kinds.filter((kind) => !toStaff.includes(kind)))('%s', (kind) => {
    const { subject, text, html } = written(kind, 'de');
    expect({ subject, text }).toMatchSnapshot();
    expect(html).toContain('<html lang="de">');
    // The German mail has no English paragraph, except those that people wrote.
    const english = written(kind)
      .text.split('\n\n')
      .filter((paragraph) => paragraph.trim() !== 'Egress');
    expect(text.split('\n\n').filter((paragraph) => english.includes(paragraph))).toEqual([]);
    expect(text).not.toMatch(/\d\.\d\d USD|\d{4}-\d\d-\d\d|undefined|\[object/);
  });

  test('mails to staff are English all the same', () => {
    for (const kind of kinds) expect(written(kind, 'de').text === written(kind).text, kind).toBe(toStaff.includes(kind));
  });

  test('sums, days and moments are written as Germans do', () => {
    expect([sum('1200.50 USD'), sum('-0.05 EUR'), sum('12345678.00 USD'), sum('free')]).toEqual([
      '1.200,50 USD',
      '-0,05 EUR',
      '12.345.678,00 USD',
      'free',
    ]);
    expect([day('2026-02-15'), minute('2026-01-15 12:00 UTC'), decimal('2.5 GB')]).toEqual([
      '15.02.2026',
      '15.01.2026 um 12:00 UTC',
      '2,5 GB',
    ]);
  });

  test('why is said as the pages say it, and the words of a bank or of support stand as they are', () => {
    const reason = because('renewal_wants_confirmation');
    expect(written('renewal_failed', 'de', { reason }).text).toContain(
      ': Ihre Bank möchte, dass Sie die Zahlung bestätigen. Das war Versuch 1 von 4.',
    );
    expect(written('renewal_failed', 'en', { reason }).text).toContain(
      ': Your bank wants you to confirm the payment. This was attempt 1 of 4.',
    );
    expect(written('renewal_failed', 'de', { reason: because('card_refused', { words: 'Do not honor.' }) }).text).toContain(
      'Die Karte wurde abgelehnt. Die Bank sagt: Do not honor. Das war',
    );
    const down = because('addresses_down', { hours: 5.3, percent: 0.5 });
    expect(written('downtime_credited', 'de', { reason: down }).text).toContain(
      'waren 5,3 Stunden ausgefallen: mehr als 0,5 % des Zeitraums.',
    );
    expect(written('downtime_credited', 'en', { reason: down }).text).toContain('were down for 5.3 hours: more than 0.5 % of the period.');
  });
});

test('a mail that an earlier release took down is still written', () => {
  const old = { reason: 'it has not been paid', advice: 'Please ask your bank.' };
  expect(written('renewal_failed', 'en', old).text).toContain('it has not been paid. This was attempt 1 of 4.');
  expect(written('renewal_failed', 'en', old).text).toContain('Please ask your bank.');
  expect(written('factors_changed', 'en', { what: 'the passkey was added' }).text).toContain('account, the passkey was added.');
  expect(written('account_closed', 'en', { kept: ['Orders: 3650 days.'] }).text).toContain('Orders: 3650 days.');
});

test('a mark of data left is said as what is left', () => {
  expect(written('balance_low', 'en', { left: '2.5 GB' }).subject).toBe('2.5 GB left: Premium, 5 GB');
  expect(written('balance_low', 'de', { left: '2.5 GB' }).subject).toBe('Noch 2,5 GB: Premium, 5 GB');
});

test('a package that is used up is said to have stopped', () => {
  const mail = written('balance_low', 'en', { percent: 100 });
  expect([mail.subject, mail.text]).toEqual(['Used up: Premium, 5 GB', expect.stringContaining('have stopped')]);
  expect(written('balance_low', 'de', { percent: 100 }).subject).toBe('Aufgebraucht: Premium, 5 GB');
});

test.each(['en', 'de'] as const)('what people typed is text in the HTML, and every link is in both parts: %s', (language) => {
  const mail = written('factors_changed', language);
  expect(mail.html).not.toContain('<b>');
  expect(mail.html).toContain('&#60;b&#62;My phone');
  expect(mail.text).toContain(url);
  expect(mail.html).toContain(url.replaceAll('&', '&#38;'));
});
