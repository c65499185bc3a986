import type { SealedColumn } from '#platform/sealed-columns.ts';

export const sealed: readonly SealedColumn[] = [
  { table: 'plan', key: 'id', column: 'password_sealed' },
  { table: 'proxy_user', key: 'id', column: 'password_sealed' },
  { table: 'gateway', key: 'id', column: 'credentials_sealed' },
];
