import type { SealedColumn } from '#platform/sealed-columns.ts';

export const sealed: readonly SealedColumn[] = [
  { table: 'totp', key: 'account_id', column: 'secret' },
  { table: 'webhook_endpoint', key: 'id', column: 'secret_sealed' },
  { table: 'webhook_endpoint', key: 'id', column: 'previous_secret_sealed' },
  { table: 'push_device', key: 'id', column: 'sealed' },
  { table: 'push_message', key: 'id', column: 'sealed' },
  { table: 'push_key', key: 'id', column: 'private_sealed' },
  { table: 'mail', key: 'id', column: 'sealed' },
  { table: 'chat_attempt', key: 'state_hash', column: 'verifier' },
];
