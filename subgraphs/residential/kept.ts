import type { KeptTable } from '#platform/kept-data.ts';

const OF_ACCOUNT = 'account_id = :account';
const OF_PLAN = 'plan_id in (select id from residential.plan where account_id = :account)';
const RAW = '90 days';
const BOOKS = 'as long as the books of its order';

export const kept: readonly KeptTable[] = [
  { table: 'residential.account_country', holds: 'the country that taxes go by', kept: BOOKS, of: OF_ACCOUNT, key: ['account_id'] },
  {
    table: 'residential.catalogue_entry',
    holds: 'which member of staff has set a price',
    kept: 'for good: what each price was',
    key: ['id'],
  },
  { table: 'residential.catalogue_import', kept: 'for good', key: ['id'] },
  { table: 'residential.edge', kept: 'for good: nodes of the operator', key: ['id'] },
  { table: 'residential.gateway', kept: 'until it is taken away', key: ['id'], secret: ['credentials_sealed'] },
  { table: 'residential.gateway_bill', kept: 'for good: books', key: ['id'] },
  { table: 'residential.gateway_day', kept: 'for good: books', key: ['gateway_id', 'day'] },
  {
    table: 'residential.lease',
    holds: 'when a plan was used on a node, and how much',
    kept: 'a week after its end',
    of: OF_PLAN,
    key: ['id'],
  },
  {
    table: 'residential.lease_part',
    holds: 'hosts that were reached and addresses that it was used from, while they are counted',
    kept: 'minutes, until its lease ends',
    key: ['lease_id', 'country', 'session', 'host', 'client'],
  },
  {
    table: 'residential.old_password',
    holds: 'that a proxy password was replaced',
    kept: 'until the plan is closed',
    of: OF_PLAN,
    key: ['plan_id', 'fingerprint'],
    secret: ['fingerprint'],
    atClosing: 'DELETE',
  },
  {
    table: 'residential.old_password_use',
    holds: 'addresses that still use a replaced proxy password',
    kept: 'until the account is closed',
    of: OF_PLAN,
    key: ['plan_id', 'client'],
    atClosing: 'DELETE',
  },
  {
    table: 'residential.plan',
    holds: 'what was bought, its proxy name, how much is used',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['password_sealed', 'password_fingerprint'],
  },
  {
    table: 'residential.proxy_batch',
    holds: 'which proxy lines were made, when, by which API key',
    kept: 'until the account is closed',
    of: OF_PLAN,
    key: ['id'],
    secret: ['address_hash'],
    atClosing: 'DELETE',
  },
  {
    table: 'residential.proxy_user',
    holds: 'names, limits and addresses of those with a part of a plan',
    kept: BOOKS,
    of: OF_PLAN,
    key: ['id'],
    secret: ['password_sealed', 'password_fingerprint', 'page_hash'],
    atClosing: { name: "''", rules: "'{}'::jsonb" },
  },
  {
    table: 'residential.proxy_user_day',
    holds: 'bytes of a day of such a user',
    kept: BOOKS,
    of: 'user_id in (select id from residential.proxy_user where account_id = :account)',
    key: ['user_id', 'day'],
  },
  { table: 'residential.sticky_session', holds: 'which exit a session of a plan has', kept: 'a day', key: ['key'] },
  {
    table: 'residential.suspended_account',
    holds: 'that nothing of the account runs',
    kept: 'for good',
    of: OF_ACCOUNT,
    key: ['account_id'],
  },
  { table: 'residential.usage_day', holds: 'bytes of a day', kept: BOOKS, of: OF_PLAN, key: ['plan_id', 'day'] },
  {
    table: 'residential.usage_entry',
    holds: 'hosts that were reached, addresses that it was used from, session, bytes, by which exit',
    kept: RAW,
    of: OF_PLAN,
    key: ['plan_id', 'at', 'source', 'report_id', 'line'],
  },
  {
    table: 'residential.usage_quarantine',
    holds: 'the same of shares that no plan can have carried',
    kept: RAW,
    of: OF_PLAN,
    key: ['id'],
  },
  { table: 'residential.usage_report', kept: RAW, key: ['source', 'report_id'] },
];
