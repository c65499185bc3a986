// Table account_price_request. Each seller has it in its own schema; the search path of its role selects it.
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { ApprovalDecision, Asked } from '../second-person.ts';
import type { AccountPrice } from './account-price.ts';

/** A price that waits for a second member of staff, or has waited. `setAt` and `askedBy`: when it was asked for, and by whom. */
export interface AccountPriceRequest extends AccountPrice, Asked {
  /** By how many hundredths of a percent it is below the catalogue at most. */
  lowersBasisPoints: number;
  running: boolean;
  tell: boolean;
  decision: ApprovalDecision | null;
  decidedBy: string | null;
}

/** Shown at the desk. */
const SHOWN = 200;

const COLUMNS = sql`id, account_id as "accountId", item, price, off_basis_points as "offBasisPoints", lowers_basis_points as "lowersBasisPoints",
  valid_from as "from", valid_until as until, running, tell, reason, asked_at as "setAt", asked_by as "setBy", asked_by as "askedBy", null as "endedAt",
  expires_at as "expiresAt", decision, decided_by as "decidedBy"`;

const toRequest = (row: AccountPriceRequest): AccountPriceRequest => ({
  ...row,
  from: new Date(row.from),
  until: row.until && new Date(row.until),
  setAt: new Date(row.setAt),
  expiresAt: new Date(row.expiresAt),
});

/** Those that wait for a decision at a moment, the earliest first, at most 200. */
export async function openPriceRequests(em: EntityManager, at: Date): Promise<AccountPriceRequest[]> {
  const { rows } = await sql<AccountPriceRequest>`select ${COLUMNS} from account_price_request
    where decision is null and expires_at > ${at}::timestamptz order by asked_at, id limit ${SHOWN}`.execute(em.getKysely());
  return rows.map(toRequest);
}

/** Every one of an account, the earliest first. */
export async function priceRequestsOfAccount(em: EntityManager, accountId: string): Promise<AccountPriceRequest[]> {
  const { rows } = await sql<AccountPriceRequest>`
    select ${COLUMNS} from account_price_request where account_id = ${accountId} order by asked_at, id`.execute(em.getKysely());
  return rows.map(toRequest);
}

/** One, locked until the transaction ends. */
export async function lockPriceRequest(em: EntityManager, id: string): Promise<AccountPriceRequest | undefined> {
  const { rows } = await sql<AccountPriceRequest>`select ${COLUMNS} from account_price_request where id = ${id} for update`.execute(
    em.getKysely(),
  );
  return rows[0] && toRequest(rows[0]);
}

export async function insertPriceRequest(em: EntityManager, row: AccountPriceRequest): Promise<void> {
  const { id, accountId, item, price, offBasisPoints, lowersBasisPoints, from, until, running, tell, reason, setAt, askedBy, expiresAt } =
    row;
  await sql`insert into account_price_request
    (id, account_id, item, price, off_basis_points, lowers_basis_points, valid_from, valid_until, running, tell, reason, asked_at, asked_by, expires_at)
    values (${id}, ${accountId}, ${item}, ${price === null ? null : JSON.stringify(price)}::jsonb, ${offBasisPoints}, ${lowersBasisPoints},
      ${from}, ${until}, ${running}, ${tell}, ${reason}, ${setAt}, ${askedBy}, ${expiresAt})`.execute(em.getKysely());
}

export async function storeDecision(
  em: EntityManager,
  id: string,
  { decision, decidedBy, decidedAt }: { decision: ApprovalDecision; decidedBy: string; decidedAt: Date },
): Promise<void> {
  await sql`update account_price_request set decision = ${decision}, decided_by = ${decidedBy}, decided_at = ${decidedAt} where id = ${id}`.execute(
    em.getKysely(),
  );
}
