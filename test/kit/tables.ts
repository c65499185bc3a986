// Reads and writes tables for tests where no API gives the same. SQL on tables is allowed here, in the kit's `*-rows.ts` and in the worlds' `tables.ts`,
// but not in tests.
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { EventType, NewEvent } from '#platform/events.ts';
import type { TestDatabase } from './database.ts';

export type Query = TestDatabase['query'];

/** Queries as a subgraph does: with its database role, and in the transaction of `em`, if it has one. */
export const queryOf =
  (em: EntityManager): Query =>
  (sql, values) =>
    runStatement(em, sql, values);

type Columns = Readonly<Record<string, unknown>>;

const assigned = (columns: Columns, from: number) => Object.keys(columns).map((name, index) => `${name} = $${from + index + 1}`);

/** A WHERE condition in which the value `null` matches NULL. */
const condition = (columns: Columns, from: number) =>
  Object.keys(columns)
    .map((name, index) => ` and ${name} is not distinct from $${from + index + 1}`)
    .join('');

/** The rows of a table (`accounts.invoice`) whose columns have the values of `where`: all their columns, or only `columns`. */
export const rowsOf = <Row extends object = Record<string, unknown>>(
  query: Query,
  table: string,
  where: Columns = {},
  { columns = '*', orderBy = '' } = {},
): Promise<Row[]> =>
  query<Row>(`select ${columns} from ${table} where true${condition(where, 0)}${orderBy && ` order by ${orderBy}`}`, Object.values(where));

/** The first row that `rowsOf` finds. */
export const rowOf = async <Row extends object = Record<string, unknown>>(
  query: Query,
  table: string,
  where: Columns = {},
  options?: { columns?: string; orderBy?: string },
): Promise<Row | undefined> => (await rowsOf<Row>(query, table, where, options))[0];

/** Adds a row without the product's code. */
export async function addRow(query: Query, table: string, columns: Columns): Promise<void> {
  const names = Object.keys(columns);
  await query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(columns),
  );
}

/** Sets columns without the product's code, for a state that is hard to reach otherwise. */
export async function setRows(query: Query, table: string, columns: Columns, where: Columns = {}): Promise<void> {
  const values = [...Object.values(columns), ...Object.values(where)];
  await query(`update ${table} set ${assigned(columns, 0).join(', ')} where true${condition(where, Object.keys(columns).length)}`, values);
}

/** Deletes rows without the product's code: those that match `where`, or all of them. */
export async function deleteRows(query: Query, table: string, where: Columns = {}): Promise<void> {
  await query(`delete from ${table} where true${condition(where, 0)}`, Object.values(where));
}

/** Truncates a table; rejects if the database refuses it. */
export async function truncate(query: Query, table: string): Promise<void> {
  await query(`truncate ${table}`);
}

/** The events about a subject, oldest first: all of them, or those of one type (`order.paid`, `static_stock.%`). */
export const eventsOf = <Data extends object = Record<string, unknown>>(query: Query, subject: string, type = '%') =>
  query<{ type: string; data: Data }>('select type, data from platform.event where subject = $1 and type like $2 order by id', [
    subject,
    type,
  ]);

/** Appends an event without the product's code, as the subgraph in which it happens does. */
export async function tell<Type extends EventType>(
  query: Query,
  type: Type,
  accountId: string,
  subject: string,
  data: NewEvent<Type>['data'],
) {
  await query('insert into platform.event (type, at, account_id, subject, data) values ($1, now(), $2, $3, $4)', [
    type,
    accountId,
    subject,
    data,
  ]);
}

export interface Act {
  type: string;
  actor: string;
  actor_id: string;
  address: string;
  data: Record<string, unknown>;
}

/** The activity of an account, oldest first: all of it, or only one type (`credit.%`). */
export const activityOf = (query: Query, accountId: string, type = '%'): Promise<Act[]> =>
  query<Act>('select type, actor, actor_id, address, data from accounts.activity where account_id = $1 and type like $2 order by id', [
    accountId,
    type,
  ]);

/** The activity of an account as actor and type: `SUPPORT order.remedied`. */
export const actsOf = async (query: Query, accountId: string): Promise<string[]> =>
  (await activityOf(query, accountId)).map(({ type, actor }) => `${actor} ${type}`);

/** The processor's checkout id of an order; empty if it has none. */
export async function checkoutOf(query: Query, orderId: string): Promise<string> {
  const order = await rowOf<{ checkout_id: string | null }>(query, 'accounts.customer_order', { id: orderId });
  return order?.checkout_id ?? '';
}

const OWN = "in ('accounts', 'residential', 'static', 'compute', 'platform')";

/** Table -> the columns of its primary key, or else of a unique index, in their order. Partitions are left out, as their parent table is listed. */
export async function primaryKeys(query: Query): Promise<Map<string, string[]>> {
  const rows = await query<{ name: string; columns: string[] }>(`
    select schema.nspname || '.' || relname as name, coalesce((select array_agg(attname::text order by place)
      from pg_index, unnest(indkey) with ordinality as part (number, place) join pg_attribute on attrelid = pg_class.oid and attnum = number
      where indexrelid = (select indexrelid from pg_index where indrelid = pg_class.oid and indisunique order by indisprimary desc limit 1)), '{}') as columns
    from pg_class join pg_namespace as schema on schema.oid = relnamespace
    where nspname ${OWN} and relkind in ('r', 'p') and not relispartition`);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

export const tableColumns = async (query: Query, table: string): Promise<string[]> =>
  (
    await query<{ name: string }>(
      `select attname as name from pg_attribute where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped`,
    )
  ).map(({ name }) => name);
