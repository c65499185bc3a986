import type { KeptTable } from '#platform/kept-data.ts';
import { daysOf } from '../../../schema/retention.ts';
import { OF_ACCOUNT, OPEN } from '../kept-terms.ts';

export const webhooksKept: readonly KeptTable[] = [
  {
    table: 'accounts.webhook_attempt',
    holds: 'what a webhook endpoint of the account answered',
    kept: daysOf('webhooks'),
    of: 'endpoint_id in (select id from accounts.webhook_endpoint where account_id = :account)',
    key: ['id'],
  },
  {
    table: 'accounts.webhook_endpoint',
    holds: 'webhook endpoints of the account',
    kept: OPEN,
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['secret_sealed', 'previous_secret_sealed'],
  },
  {
    table: 'accounts.webhook_event',
    holds: 'events that were sent to the account',
    kept: daysOf('webhooks'),
    of: OF_ACCOUNT,
    key: ['position'],
  },
];
