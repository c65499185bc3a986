import { describe, expect, test } from 'vitest';
import { because } from '#platform/errors.ts';
import type { Language } from '#platform/language.ts';
import { day, decimal, minute, sum } from '../../../subgraphs/accounts/mail/domain/german.ts';
import type { MailKind } from '../../../subgraphs/accounts/mail/domain/mail-kind.ts';
import { MAIL_SAMPLES as SAMPLES } from '../../../subgraphs/accounts/mail-samples.ts';
import { MAILS } from '../../../subgraphs/accounts/mails.ts';

const { url } = SAMPLES.verify_email;
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
    'second_person_asked',
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
