// Every mail of this subgraph, of all nouns and in all languages; `mail/` writes and sends what it gets from here.
import type { Language } from '#platform/language.ts';
import { ABUSE_MAILS } from './abuse/domain/abuse-mails.ts';
import { ABUSE_MAILS_DE } from './abuse/domain/german-abuse-mails.ts';
import { DISPUTE_MAILS } from './billing/disputes/domain/dispute-mails.ts';
import { DISPUTE_MAILS_DE } from './billing/disputes/domain/german-dispute-mails.ts';
import { ORDER_MAILS_DE } from './billing/orders/domain/german-order-mails.ts';
import { ORDER_MAILS } from './billing/orders/domain/order-mails.ts';
import { PAY_OUT_MAILS_DE } from './billing/refunds/domain/german-pay-out-mails.ts';
import { PAY_OUT_MAILS } from './billing/refunds/domain/pay-out-mails.ts';
import { RENEWAL_MAILS_DE } from './billing/renewals/domain/german-renewal-mails.ts';
import { PAYOUT_MAILS } from './billing/payouts/domain/payout-mails.ts';
import { RENEWAL_MAILS } from './billing/renewals/domain/renewal-mails.ts';
import { ACCOUNT_PRICE_MAILS } from './billing/subscriptions/domain/account-price-mails.ts';
import { ACCOUNT_PRICE_MAILS_DE } from './billing/subscriptions/domain/german-account-price-mails.ts';
import { REPRICING_MAILS_DE } from './billing/subscriptions/domain/german-repricing-mails.ts';
import { REPRICING_MAILS } from './billing/subscriptions/domain/repricing-mails.ts';
import { ACCESS_MAILS } from './identity/domain/access-mails.ts';
import { ACCESS_MAILS_DE } from './identity/domain/german-access-mails.ts';
import { STAFF_MAILS } from './identity/domain/staff-mails.ts';
import { KEY_MAILS_DE } from './keys/domain/german-key-mails.ts';
import { KEY_MAILS } from './keys/domain/key-mails.ts';
import { PRODUCT_MAILS_DE } from './mail/domain/german-product-mails.ts';
import type { MailText } from './mail/domain/mail-text.ts';
import type { TopicKind } from './mail/domain/notification-topic.ts';
import { PRODUCT_MAILS } from './mail/domain/product-mails.ts';
import type { ToCustomers } from './mail/domain/staff-mail.ts';
import { WEBHOOK_MAILS_DE } from './webhooks/domain/german-webhook-mails.ts';
import { WEBHOOK_MAILS } from './webhooks/domain/webhook-mails.ts';
import { TEAM_MAILS_DE } from './teams/domain/german-team-mails.ts';
import { TEAM_MAILS } from './teams/domain/team-mails.ts';
import { SALES_MAILS_DE } from './sales/domain/german-sales-mails.ts';
import { SALES_MAILS } from './sales/domain/sales-mails.ts';

/** Kind of mail -> a function from the mail's data to its text. The types require every other language to have the same kinds. */
const ENGLISH = {
  ...ORDER_MAILS,
  ...DISPUTE_MAILS,
  ...PAYOUT_MAILS,
  ...PAY_OUT_MAILS,
  ...RENEWAL_MAILS,
  ...REPRICING_MAILS,
  ...ACCOUNT_PRICE_MAILS,
  ...PRODUCT_MAILS,
  ...ACCESS_MAILS,
  ...KEY_MAILS,
  ...WEBHOOK_MAILS,
  ...SALES_MAILS,
  ...TEAM_MAILS,
  ...ABUSE_MAILS,
  ...STAFF_MAILS,
} satisfies Record<string, (data: never) => MailText> & Record<TopicKind, unknown>;

const GERMAN: ToCustomers<typeof ENGLISH> = {
  ...ORDER_MAILS_DE,
  ...DISPUTE_MAILS_DE,
  ...PAY_OUT_MAILS_DE,
  ...RENEWAL_MAILS_DE,
  ...REPRICING_MAILS_DE,
  ...ACCOUNT_PRICE_MAILS_DE,
  ...PRODUCT_MAILS_DE,
  ...ACCESS_MAILS_DE,
  ...KEY_MAILS_DE,
  ...WEBHOOK_MAILS_DE,
  ...SALES_MAILS_DE,
  ...TEAM_MAILS_DE,
  ...ABUSE_MAILS_DE,
};

/** Mails to staff are in English, whatever the language. */
export const MAILS: Readonly<Record<Language, typeof ENGLISH>> = { en: ENGLISH, de: { ...ENGLISH, ...GERMAN } };

type English = typeof ENGLISH;
declare module './mail/domain/mail-kind.ts' {
  interface MailTexts extends English {}
}
