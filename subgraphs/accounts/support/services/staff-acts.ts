// The acts of members of staff in all subgraphs: stored from events, searched, and written to a file.
import { daysBefore } from '#platform/clock.ts';
import { csvLine } from '#platform/csv.ts';
import type { EventOf } from '#platform/events.ts';
import { type IdPage, type PageAsked, pageById } from '#platform/id-page.ts';
import { newId } from '#platform/ids.ts';
import { periodOfDays } from '#platform/day-period.ts';
import type { Context } from '../../context.ts';
import { accountsWithIds } from '../../identity/entities/account.ts';
import { type StaffAct, forgetStaffActs, insertStaffAct, latestStaffActs, staffActsInTurn } from '../entities/staff-act.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';

/** The longest word of an act that can be searched for. */
const SEARCH_MAX = TEXT_MAX.staffActAbout;

/** Reaction to `staff.acted`: stores the act. */
export async function storeStaffAct({ em, clock }: Context, { at, subject, data }: EventOf<'staff.acted'>): Promise<void> {
  const about = [...new Set(Object.values(data.given).filter(({ length }) => length <= SEARCH_MAX))];
  await insertStaffAct(em, { id: newId('deed', clock), at, accountId: subject, about, ...data });
}

/** Days as YYYY-MM-DD, both included. */
interface Days {
  from?: string | null | undefined;
  to?: string | null | undefined;
}

export interface StaffActFilter extends Days {
  by?: string | null | undefined;
  act?: string | null | undefined;
  permission?: string | null | undefined;
  about?: string | null | undefined;
}

const FIRST_DAY = '2000-01-01';
const LAST_DAY = '9999-12-30';

/** A page of acts, the latest first. Errors: limit_invalid, parameter_invalid (days). */
export async function staffActs({ em }: Context, { from, to, ...words }: StaffActFilter, asked: PageAsked): Promise<IdPage<StaffAct>> {
  const wanted = Object.fromEntries(Object.entries(words).map(([name, word]) => [name, word?.trim() || undefined]));
  const period = from || to ? periodOfDays(from || FIRST_DAY, to || LAST_DAY) : undefined;
  return pageById(asked, (limit, cursor) => latestStaffActs(em, { ...wanted, ...period }, limit, cursor));
}

export interface StaffActsPart {
  text: string;
  /** What to ask the next part with; null: this is the last. */
  next: string | null;
}

const BATCH_SIZE = 1_000;
const COLUMNS = ['at', 'member', 'account_id', 'act', 'permission', 'given', 'address', 'request_id'];

/** A part of the file for a span of days, the oldest act first; the first part begins with the column names. Errors: parameter_invalid. */
export async function staffActsPart(
  { em }: Context,
  { from, to, after: cursor }: { from: string; to: string; after?: string | null | undefined },
): Promise<StaffActsPart> {
  const acts = await staffActsInTurn(em, periodOfDays(from, to), BATCH_SIZE, cursor ?? undefined);
  const members = await accountsWithIds(em, [...new Set(acts.map(({ accountId }) => accountId))]);
  const emails = new Map(members.map(({ id, email }) => [id, email]));
  const lines = acts.map(({ at, accountId, act, permission, given, address, requestId }) =>
    csvLine([
      ...[at.toISOString(), emails.get(accountId) ?? null, accountId, act, permission],
      ...[wordsInLine(given), address, requestId],
    ]),
  );
  const head = cursor ? [] : [csvLine(COLUMNS)];
  return { text: [...head, ...lines].join(''), next: acts.length === BATCH_SIZE ? (acts.at(-1)?.id ?? null) : null };
}

const wordsInLine = (given: Record<string, string>): string =>
  Object.entries(given)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');

/** Deletes acts that are older than the term for which they are kept. */
export const forgetOldStaffActs = ({ em, clock, providers }: Context): Promise<void> =>
  forgetStaffActs(em, daysBefore(clock.now(), providers.retention.staffActs));
