// Records which rows transactions lock, in which order, so that tests that move money can check that no two transactions can deadlock.
import { watchStatements } from './statements.ts';

/** Tables of an account: locked in any order, once the account's row is locked. */
const OWNED = ['customer_order', 'billing_subscription', 'invoice', 'ledger_entry'];
/** Rows that accounts share, in the order in which they must be locked. */
const SHARED = ['invoice_series INV', 'invoice_series CN', 'staff_gift'];

interface Transaction {
  /** Whether this is an event reader's transaction, which serves many accounts at once. After a deadlock it is retried, one event at a time. */
  reads: boolean;
  locks: string[];
}

/** The table in which a statement locks rows that other transactions may wait for; undefined if none. */
function lockOf(text: string, values: readonly unknown[]): string | undefined {
  const [, table] =
    /^\s*select\b.*?\bfrom\s+(?:"?accounts"?\.)?"?(\w+)"?.*\bfor (?:no key )?update\b/is.exec(text) ??
    /^\s*(?:update|insert into)\s+(?:"?accounts"?\.)?"?(\w+)"?/i.exec(text) ??
    [];
  if (table === 'invoice_series') return `invoice_series ${String(values[0]).slice(0, String(values[0]).indexOf('-'))}`;
  // A processor's fees, and its payouts to the operator's bank, belong to no account.
  if (table === 'ledger_entry' && !values.some((value) => typeof value === 'string' && value.startsWith('acct_'))) return undefined;
  const isInsert = /^\s*insert/i.test(text);
  return table !== undefined && (!isInsert || table === 'ledger_entry' || table === 'staff_gift') ? table : undefined;
}

/** Which two locks a transaction takes in the wrong order, so that it can deadlock with another; undefined if none. */
export function inversionIn({ locks, reads }: Transaction): string | undefined {
  const account = locks.indexOf('account');
  const owned = locks.findIndex((lock) => OWNED.includes(lock));
  if (owned >= 0 && (account < 0 || account > owned)) return `${locks[owned]} before its account`;
  if (reads) return undefined;
  const shared = locks.filter((lock) => SHARED.includes(lock));
  const turned = shared.findIndex((lock, index) => index > 0 && SHARED.indexOf(lock) < SHARED.indexOf(shared[index - 1] ?? ''));
  if (turned > 0) return `${shared[turned]} after ${shared[turned - 1]}`;
  const first = locks.findIndex((lock) => SHARED.includes(lock));
  return account >= 0 && first >= 0 && first < account ? `an account after ${locks[first]}` : undefined;
}

/** Watches the statements on every connection of this process until `stop` is called. */
export function watchLocks() {
  const open = new WeakMap<object, Transaction>();
  const inversions = new Set<string>();
  let deadlocks = 0;
  let transactions = 0;
  const judge = (client: object) => {
    const transaction = open.get(client);
    open.delete(client);
    if (transaction && transaction.locks.length > 0) transactions++;
    const inversion = transaction && inversionIn(transaction);
    if (inversion !== undefined) inversions.add(`${inversion}: ${transaction?.locks.join(', ')}`);
  };
  const note = (client: object, text: string, values: readonly unknown[]) => {
    if (/^\s*(begin|start transaction)/i.test(text)) return void open.set(client, { reads: false, locks: [] });
    if (/^\s*(commit|rollback)\s*;?\s*$/i.test(text)) return judge(client);
    const transaction = open.get(client);
    if (!transaction) return;
    if (/platform\.(cursor|dead_letter)/.test(text)) transaction.reads = true;
    const lock = lockOf(text, values);
    if (lock !== undefined && !transaction.locks.includes(lock)) transaction.locks.push(lock);
  };
  const stop = watchStatements(
    ({ client, text, values }) => note(client, text, values),
    (code) => (deadlocks += code === '40P01' ? 1 : 0),
  );
  return {
    /** The wrong lock orders of all transactions so far. */
    inversions: () => [...inversions],
    deadlocks: () => deadlocks,
    /** How many transactions with a lock have ended. Zero, after money has moved, means that nothing was watched. */
    transactions: () => transactions,
    stop,
  };
}
