import type { KeptTable } from '#platform/kept-data.ts';
import { WEBHOOKS } from '../../../schema/limits.ts';
import { OF_ACCOUNT, OPEN } from '../kept-terms.ts';

export const webhooksKept: readonly KeptTable[] = [
  {
    table: 'accounts.webhook_attempt',
    holds: 'what an end point of the account has answered',
    kept: `${WEBHOOKS.keptDays} days`,
    of: 'endpoint_id in (select id from accounts.webhook_endpoint where account_id = :account)',
    key: ['id'],
  },
  {
    table: 'accounts.webhook_endpoint',
    holds: 'where the account wants to be told of its events',
    kept: OPEN,
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['secret_sealed', 'previous_secret_sealed'],
  },
  {
    table: 'accounts.webhook_event',
    holds: 'what the account was told',
    kept: `${WEBHOOKS.keptDays} days`,
    of: OF_ACCOUNT,
    key: ['position'],
  },
];
