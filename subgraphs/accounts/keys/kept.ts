import type { KeptTable } from '#platform/kept-data.ts';
import { OF_ACCOUNT, OPEN } from '../kept-terms.ts';

export const keysKept: readonly KeptTable[] = [
  {
    table: 'accounts.api_key',
    holds: 'API keys: when and from where they were created and used',
    kept: 'as long as the account; revoked when it is closed',
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['hash'],
  },
  {
    table: 'accounts.api_key_day',
    holds: 'the number of requests per day',
    kept: 'as long as the key',
    of: 'key_id in (select id from accounts.api_key where account_id = :account)',
    key: ['key_id', 'day'],
  },
  { table: 'accounts.key_request', holds: 'requests for API keys', kept: OPEN, of: OF_ACCOUNT, key: ['id'] },
  {
    table: 'accounts.registered_document',
    holds: 'GraphQL documents that the account has registered',
    kept: 'until it is removed, or the account is closed',
    of: OF_ACCOUNT,
    key: ['account_id', 'sha256'],
    atClosing: 'DELETE',
  },
];
