// What several rows of the register of kept data have in common: whose a row is, and how long it is kept.
import { daysOf } from '../../schema/retention.ts';
import { KEPT_DAYS } from './identity/domain/retention.ts';

export const OF_ACCOUNT = 'account_id = :account';
export const OF_ORDER = 'order_id in (select id from accounts.customer_order where account_id = :account)';
export const days = (kind: keyof typeof KEPT_DAYS) => `${KEPT_DAYS[kind].toLocaleString('en')} days`;
export const BOOKS = `${days('books')} or longer: accounting records`;
export const OPEN = 'until the account is closed';
export const LINK = `${daysOf('links')} after its end`;
