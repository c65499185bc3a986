// The mails whose text an operator may write, and what it may say. Mails to staff, and mails whose text depends on what has happened, are not among them.
import type { MailData, MailKind } from './mail/domain/mail-kind.ts';
import type { Said } from './mail/domain/said.ts';

/** The fields of a mail's data that are always there and can be said as they are. */
type Sayable<Data> = {
  [Name in keyof Data]-?: undefined extends Data[Name] ? never : Data[Name] extends Said | number | readonly string[] ? Name : never;
}[keyof Data];

type Fields<Kind extends MailKind> = Readonly<Record<'needed' | 'known', readonly Sayable<MailData<Kind>>[]>>;

/** `needed`: without these the mail would be of no use, and a text that drops one is refused. */
export const MAIL_FIELDS = {
  verify_email: { needed: ['url'], known: ['hours'] },
  account_exists: { needed: ['url'], known: [] },
  recover: { needed: ['url'], known: ['hours'] },
  password_changed: { needed: ['url'], known: [] },
  email_change_old: { needed: ['url', 'email'], known: ['hours'] },
  email_change_new: { needed: ['url'], known: ['hours'] },
  email_changed: { needed: ['email'], known: [] },
  new_log_in: { needed: ['url', 'device', 'at'], known: ['address'] },
  device_link: { needed: ['url'], known: ['hours'] },
  account_suspended: { needed: ['reason', 'writeTo'], known: [] },
  account_restored: { needed: ['url'], known: ['reason'] },
  abuse_warned: { needed: ['message', 'caseId', 'until', 'writeTo'], known: [] },
  key_issued: { needed: ['url'], known: ['masked'] },
  key_order_ceiling: { needed: ['url'], known: ['masked', 'ceiling'] },
  key_ordered: { needed: ['url', 'title', 'total'], known: ['masked', 'left'] },
  key_expiring: { needed: ['url', 'at'], known: ['masked', 'days'] },
  order_paid: { needed: ['url', 'title'], known: ['total'] },
  key_order_declined: { needed: ['url', 'title', 'total'], known: [] },
  order_held: { needed: ['url', 'title'], known: [] },
  order_refused: { needed: ['title', 'amount'], known: ['url'] },
  order_withdrawn: { needed: ['title', 'reason'], known: ['url'] },
  not_delivered: { needed: ['title', 'amount'], known: ['url'] },
  transfer_terms: { needed: ['url', 'reference', 'amount', 'bank', 'until'], known: ['title'] },
  transfer_part: { needed: ['url', 'reference', 'left', 'until'], known: ['title', 'arrived'] },
  transfer_credited: { needed: ['amount'], known: ['title', 'url'] },
  crypto_credited: { needed: ['amount'], known: ['title', 'url'] },
  renewal_upcoming: { needed: ['title', 'amount', 'on'], known: ['url'] },
  renewal_due: { needed: ['url', 'title', 'amount', 'due'], known: [] },
  removal_near: { needed: ['url', 'title', 'on'], known: [] },
  server_ready: { needed: ['url', 'hostname'], known: [] },
  server_deleted: { needed: ['hostname'], known: [] },
  stock_available: { needed: ['url', 'title'], known: ['quantity'] },
  plan_withdrawn: { needed: ['title', 'size', 'reason'], known: ['url'] },
  plan_ends_soon: { needed: ['url', 'title', 'at'], known: ['left'] },
  plan_lapsed: { needed: ['title', 'at'], known: ['size', 'url'] },
  plan_paused: { needed: ['url', 'title'], known: ['limit'] },
  proxy_password_reset: { needed: ['url', 'title'], known: ['reason'] },
  top_up_held: { needed: ['url', 'title'], known: ['ceiling'] },
} as const satisfies { readonly [Kind in MailKind]?: Fields<Kind> };
