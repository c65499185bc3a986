// Every mail of this subgraph, of all its nouns: mail/ writes and sends what it is handed here.
import { ORDER_MAILS } from './billing/orders/domain/order-mails.ts';
import { RENEWAL_MAILS } from './billing/subscriptions/domain/renewal-mails.ts';
import { ACCESS_MAILS } from './identity/domain/access-mails.ts';
import { KEY_MAILS } from './keys/domain/key-mails.ts';
import type { MailText } from './mail/domain/mail-text.ts';
import type { OptionalKind } from './mail/domain/notification-topic.ts';
import { PRODUCT_MAILS } from './mail/domain/product-mails.ts';
import { SALES_MAILS } from './support/domain/sales-mails.ts';

/** kind -> what it needs -> what it says. */
export const MAILS = {
  ...ORDER_MAILS,
  ...RENEWAL_MAILS,
  ...PRODUCT_MAILS,
  ...ACCESS_MAILS,
  ...KEY_MAILS,
  ...SALES_MAILS,
} satisfies Record<string, (data: never) => MailText> & Record<OptionalKind, unknown>;

export type MailKind = keyof typeof MAILS;
export type MailData<Kind extends MailKind> = Omit<Parameters<(typeof MAILS)[Kind]>[0], 'brand'>;
