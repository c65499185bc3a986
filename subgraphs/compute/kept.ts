import type { KeptTable } from '#platform/kept-data.ts';
import { daysOf } from '../../schema/retention.ts';

const OF_ACCOUNT = 'account_id = :account';
const OF_SERVER = 'server_id in (select id from compute.server where account_id = :account)';
const BOOKS = 'as long as the books of its order';
const SERVER = 'as long as the server';

export const kept: readonly KeptTable[] = [
  {
    table: 'compute.account_country',
    holds: 'the country by which the account is taxed',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['account_id'],
  },
  {
    table: 'compute.account_price',
    holds: 'prices of this account alone, and which member of staff has set them',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['id'],
  },
  { table: 'compute.address', holds: 'the addresses of a server', kept: SERVER, of: OF_SERVER, key: ['ip'] },
  { table: 'compute.backup', holds: "the list of a server's backups", kept: 'as long as the backup', of: OF_SERVER, key: ['id'] },
  {
    table: 'compute.bare_metal',
    holds: 'the machine of a dedicated server',
    kept: 'for good: the stock',
    of: OF_SERVER,
    key: ['id'],
    secret: ['controller_url', 'controller_username', 'controller_password_sealed'],
  },
  {
    table: 'compute.catalogue_entry',
    holds: 'which member of staff has set a price',
    kept: 'for good: the history of prices',
    key: ['id'],
  },
  { table: 'compute.catalogue_import', kept: 'for good', key: ['id'] },
  { table: 'compute.cluster', kept: 'until it is removed', key: ['name'], secret: ['secrets_sealed'] },
  {
    table: 'compute.console_ticket',
    holds: 'that a console was opened',
    kept: 'minutes',
    of: OF_SERVER,
    key: ['token_hash'],
    secret: ['token_hash', 'session_id'],
  },
  { table: 'compute.cost_day', kept: 'for good', key: ['day'] },
  { table: 'compute.firewall', holds: 'the rules of a server', kept: SERVER, of: OF_SERVER, key: ['server_id'] },
  {
    table: 'compute.hand_work',
    holds: 'manual work of the operator on a server',
    kept: BOOKS,
    of: 'operation_id in (select id from compute.operation where account_id = :account)',
    key: ['operation_id'],
  },
  { table: 'compute.idempotent_request', kept: 'a day', key: ['account_id', 'key'] },
  {
    table: 'compute.metal_use',
    holds: 'the load of a dedicated server',
    kept: daysOf('serverLoad'),
    of: OF_SERVER,
    key: ['server_id', 'at'],
  },
  { table: 'compute.node', kept: 'for good: the last known state of a hypervisor node', key: ['name'] },
  {
    table: 'compute.operation',
    holds: 'operations on a server, and when they ran',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['secret_sealed'],
  },
  {
    table: 'compute.placement',
    holds: 'on which nodes a server runs and has run',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['number'],
  },
  {
    table: 'compute.repriced',
    holds: 'that another price of a server is announced',
    kept: 'until it applies',
    of: 'resource_id in (select id from compute.server where account_id = :account)',
    key: ['resource_id'],
  },
  {
    table: 'compute.repricing',
    holds: 'which member of staff has announced another price',
    kept: 'for good: the history of prices',
    key: ['id'],
  },
  {
    table: 'compute.reverse_name',
    holds: "reverse DNS names of a server's addresses",
    kept: SERVER,
    of: `ip in (select ip from compute.address where ${OF_SERVER})`,
    key: ['ip'],
  },
  {
    table: 'compute.server',
    holds: 'purchase, names, labels, public keys, why halted',
    kept: BOOKS,
    of: OF_ACCOUNT,
    key: ['id'],
    secret: ['password_sealed', 'rescue_password_sealed', 'user_data_sealed'],
    atClosing: { name: 'null', labels: "'{}'", user_data_sealed: 'null' },
  },
  {
    table: 'compute.stock_hold',
    holds: 'machines that are reserved for an order',
    kept: 'until the order is paid or expires',
    of: OF_ACCOUNT,
    key: ['offer_id'],
  },
  {
    table: 'compute.ssh_key',
    holds: 'public SSH keys for future servers',
    kept: 'until they are deleted',
    of: OF_ACCOUNT,
    key: ['id'],
    atClosing: 'DELETE',
  },
  {
    table: 'compute.suspended_account',
    holds: 'that the account is suspended or closed',
    kept: 'for good',
    of: OF_ACCOUNT,
    key: ['account_id'],
  },
];
