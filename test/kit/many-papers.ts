// Fills an account with thousands of orders, invoices and activity entries, and measures what the database reads for one page of them.
import type { TestDatabase } from './database.ts';

type Query = TestDatabase['query'];

const INSERTS = {
  orders: `insert into accounts.customer_order (id, account_id, offer_id, idempotency_key, status, method, title, lines, currency, subtotal_minor, tax_minor,
      total_minor, seller, fulfil, placed_at, expires_at)
    select 'ord_' || lpad(n::text, 20, '0') || right($1, 6), $1, $1 || ' offer ' || n, $1 || ' key ' || n, 'CANCELLED', 'CARD', 'Order ' || n, '[]', 'USD', 100, 0, 100, 'residential', '{}',
      now(), now() from generate_series(1, $2::int) as n`,
  series: `insert into accounts.invoice_series (series, last) values ('MANY-' || right($1, 6), $2::int)`,
  invoices: `insert into accounts.invoice (id, series, number, kind, account_id, note, seller, buyer, lines, currency, subtotal_minor, tax_basis_points, tax_minor,
      total_minor, issued_at)
    select 'inv_' || lpad(n::text, 20, '0') || right($1, 6), 'MANY-' || right($1, 6), n, 'INVOICE', $1, '', '{}', '{}', '[]', 'USD', 100, 0, 0, 100, now()
    from generate_series(1, $2::int) as n order by n`,
  activity: `insert into accounts.activity (id, account_id, at, type, actor, subject, data)
    select 'act_' || lpad(n::text, 20, '0') || right($1, 6), $1, now(), 'session.ended', 'OWNER', 'sess_' || n, '{}' from generate_series(1, $2::int) as n`,
} as const;

/** The tables that are filled. No page of an account may read a whole table. */
export const PAPERS = ['customer_order', 'invoice', 'activity'] as const;

/** Adds `count` rows to each of the tables, for an account that has none yet. The ids of several accounts interleave. */
export async function insertPapers(query: Query, accountId: string, count: number): Promise<void> {
  for (const insert of Object.values(INSERTS)) await query(insert, [accountId, count]);
  for (const table of PAPERS) await query(`analyze accounts.${table}`);
}

/** Adds `count` accounts, with the addresses `person-1@many.example` and so on. */
export async function insertAccounts(query: Query, count: number): Promise<void> {
  await query(
    `insert into accounts.account (id, email, role, created_at)
      select 'acct_' || lpad(n::text, 26, '0'), 'person-' || n || '@many.example', 'CUSTOMER', now() from generate_series(1, $1::int) as n`,
    [count],
  );
  await query('vacuum analyze accounts.account');
}

/** Adds `count` grants of credit of one cent each. */
export async function insertGrants(query: Query, accountId: string, count: number): Promise<void> {
  const id = `'jrn_' || lpad(n::text, 20, '0') || right('${accountId}', 6)`;
  await query(`begin;
    insert into accounts.journal (id, kind, reference, account_id, note, posted_at)
      select ${id}, 'credit_granted', ${id}, '${accountId}', '', now() from generate_series(1, ${count}) as n;
    insert into accounts.ledger_entry (journal_id, line, ledger, account_id, currency, amount_minor)
      select ${id}, 0, 'GOODWILL', null, 'USD', 1 from generate_series(1, ${count}) as n
      union all select ${id}, 1, 'CUSTOMER_CREDIT', '${accountId}', 'USD', -1 from generate_series(1, ${count}) as n;
    commit;`);
  await query('analyze accounts.journal');
  await query('analyze accounts.ledger_entry');
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

export interface Cost {
  nodes: string[];
  rows: number;
  /** Tables that the statement reads whole. */
  whole: string[];
}

/** Runs a statement under EXPLAIN ANALYZE. `nodes`: its indexes, sequential scans and sorts; `rows`: the most rows that any step of the plan has read. */
export async function costOf(query: Query, statement: string, values: unknown[] = []): Promise<Cost> {
  const [row] = await query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`explain (analyze, format json) ${statement}`, values);
  const nodes: PlanNode[] = [];
  const walk = (node: PlanNode) => {
    nodes.push(node);
    for (const each of node.Plans ?? []) walk(each);
  };
  walk(row?.['QUERY PLAN'][0]?.Plan as PlanNode);
  return {
    nodes: nodes.flatMap((node) => node['Index Name'] ?? (/Seq Scan|Sort/.test(node['Node Type']) ? node['Node Type'] : [])),
    rows: Math.max(...nodes.map((node) => node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))),
    whole: nodes.flatMap((node) => (node['Node Type'].endsWith('Seq Scan') ? (node['Relation Name'] ?? []) : [])),
  };
}
