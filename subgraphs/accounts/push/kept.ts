import type { KeptTable } from '#platform/kept-data.ts';
import { OF_ACCOUNT } from '../kept-terms.ts';

export const pushKept: readonly KeptTable[] = [
  {
    table: 'accounts.push_device',
    holds: 'browsers that show notifications, since when',
    kept: 'until it is removed or signed out, or the account is closed',
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['sealed', 'endpoint_digest', 'session_id'],
  },
  { table: 'accounts.push_key', kept: 'for good', key: ['id'], secret: ['private_sealed'] },
  {
    table: 'accounts.push_message',
    holds: 'a notification that waits for a browser, sealed',
    kept: 'until the push service has taken it, three days at most',
    of: 'device_id in (select id from accounts.push_device where account_id = :account)',
    key: ['id'],
    secret: ['sealed'],
  },
];
