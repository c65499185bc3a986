// What the desk does about complaints: it opens a case, asks the sellers who used the address, adds notes, warns customers, and closes the case.
import { ADDRESS_USE_MINUTES, TEXT_MAX } from '../../../../schema/limits.ts';
import { DAY, after, toDay } from '#platform/clock.ts';
import { accountOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { appendEvents } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import type { Context } from '../../context.ts';
import { record } from '../../identity/services/activity.ts';
import { accountFor } from '../../identity/services/staff.ts';
import { postToOwner } from '../../mail/services/mails.ts';
import type { AbuseEntryKind, AbuseKind } from '../domain/abuse-case.ts';
import { type AbuseCase, abuseCaseWithId, abuseCasesListed, insertAbuseCase, lockAbuseCase } from '../entities/abuse-case.ts';
import { insertAbuseEntry } from '../entities/abuse-entry.ts';

/** Spec is silent: how long a customer may be given to answer. */
const ANSWER_DAYS_MAX = 30;

export interface Complaint {
  reporter: string;
  kind: AbuseKind;
  /** The complaint as received, for example a mail. */
  complaint?: string | null | undefined;
  /** The address that the targets saw, or the id of an exit; to be given together with `happenedAt`. */
  address?: string | null | undefined;
  happenedAt?: Date | null | undefined;
  minutes?: number | undefined;
}

function checkedText(field: string, text: string, max: number): string {
  const words = text.trim();
  if (words === '' || words.length > max) throw fail('parameter_invalid', { field, reason: because('line_length', { max }) });
  return words;
}

export const listAbuseCases = ({ em }: Context, open: boolean): Promise<AbuseCase[]> => abuseCasesListed(em, open);

/** Errors: abuse_case_not_found. */
export async function findAbuseCase({ em }: Context, id: string): Promise<AbuseCase> {
  const found = await abuseCaseWithId(em, id);
  if (!found) throw fail('abuse_case_not_found');
  return found;
}

/** Opens a case. The sellers are asked at once who used the address, and their answers become entries of the case. Errors: parameter_invalid. */
export function openAbuseCase(ctx: Context, { kind, ...given }: Complaint): Promise<AbuseCase> {
  const reporter = checkedText('reporter', given.reporter, TEXT_MAX.abuseReporter);
  const complaint = (given.complaint ?? '').trim();
  if (complaint.length > TEXT_MAX.abuseComplaint)
    throw fail('parameter_invalid', { field: 'complaint', reason: because('message_too_long', { max: TEXT_MAX.abuseComplaint }) });
  const address = given.address?.trim() || null;
  const happenedAt = given.happenedAt ?? null;
  if ((address === null) !== (happenedAt === null))
    throw fail('parameter_invalid', { field: address === null ? 'address' : 'happenedAt', reason: because('abuse_place_and_time') });
  if (address !== null) checkedText('address', address, TEXT_MAX.abuseAddress);
  const { minutes = ADDRESS_USE_MINUTES.default } = given;
  if (minutes < 1 || minutes > ADDRESS_USE_MINUTES.max)
    throw fail('parameter_invalid', {
      field: 'minutes',
      reason: because('number_out_of_range', { name: 'minutes', max: ADDRESS_USE_MINUTES.max }),
    });
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const id = newId('abuse', tx.clock);
    if (address !== null && happenedAt !== null) {
      const data = { address, at: happenedAt.toISOString(), minutes };
      await appendEvents(tx.em, { type: 'abuse_case.use_asked', at: now, accountId: null, subject: id, data });
    }
    return insertAbuseCase(tx.em, {
      id,
      state: 'OPEN',
      kind,
      reporter,
      complaint,
      address,
      happenedAt,
      minutes: address === null ? null : minutes,
      openedBy: accountOf(tx),
      openedAt: now,
      respondBy: null,
      closedAt: null,
    });
  });
}

/** Adds a note; an account that is given is linked to the case. Errors: abuse_case_not_found, account_not_found, parameter_invalid. */
export function noteOnAbuseCase(
  ctx: Context,
  { id, text, accountId = null }: { id: string; text: string; accountId?: string | null | undefined },
): Promise<AbuseCase> {
  const words = checkedText('text', text, TEXT_MAX.abuseNote);
  return changed(ctx, id, async (tx) => {
    if (accountId !== null) await accountFor(tx, accountId);
    await write(tx, id, 'NOTE', words, accountId);
  });
}

/**
 * Mails a customer the complaint and the deadline for an answer, and links the account to the case, which then waits for the answer. Errors:
 * abuse_case_not_found, account_not_found, own_account_refused, parameter_invalid, action_not_allowed (closed).
 */
export function warnOfAbuse(
  ctx: Context,
  { id, accountId, message, days }: { id: string; accountId: string; message: string; days: number },
): Promise<AbuseCase> {
  const words = checkedText('message', message, TEXT_MAX.abuseNote);
  if (days < 1 || days > ANSWER_DAYS_MAX)
    throw fail('parameter_invalid', { field: 'days', reason: because('abuse_answer_days', { max: ANSWER_DAYS_MAX }) });
  return changed(ctx, id, async (tx, abuse) => {
    if (abuse.closedAt) throw fail('action_not_allowed', { reason: because('abuse_case_closed') });
    refuseOwnAccount(tx, accountId);
    await accountFor(tx, accountId);
    const respondBy = after(tx.clock.now(), days * DAY);
    // With several customers, the case keeps the earliest deadline.
    Object.assign(abuse, { state: 'WAITING', respondBy: abuse.respondBy && abuse.respondBy < respondBy ? abuse.respondBy : respondBy });
    const until = toDay(respondBy);
    await write(tx, id, 'WARNING', `Answer until ${until}: ${words}`, accountId);
    await record(tx, { type: 'abuse_case.warned', accountId, subject: id, data: { until } });
    await postToOwner(tx, accountId, 'abuse_warned', { message: words, caseId: id, until, writeTo: tx.providers.supportEmail });
  });
}

/** Errors: abuse_case_not_found, parameter_invalid, action_not_allowed (closed already). */
export function closeAbuseCase(ctx: Context, { id, outcome }: { id: string; outcome: string }): Promise<AbuseCase> {
  const words = checkedText('outcome', outcome, TEXT_MAX.abuseNote);
  return changed(ctx, id, async (tx, abuse) => {
    if (abuse.closedAt) throw fail('action_not_allowed', { reason: because('abuse_case_closed') });
    Object.assign(abuse, { state: 'CLOSED', closedAt: tx.clock.now(), respondBy: null });
    await write(tx, id, 'STATE', `Closed: ${words}`, null);
  });
}

/**
 * Opens a closed case again, or one that waits, because its customer has answered. Errors: abuse_case_not_found, parameter_invalid, action_not_allowed (open
 * already).
 */
export function reopenAbuseCase(ctx: Context, { id, reason }: { id: string; reason: string }): Promise<AbuseCase> {
  const words = checkedText('reason', reason, TEXT_MAX.abuseNote);
  return changed(ctx, id, async (tx, abuse) => {
    if (abuse.state === 'OPEN') throw fail('action_not_allowed', { reason: because('abuse_case_not_closed') });
    Object.assign(abuse, { state: 'OPEN', closedAt: null, respondBy: null });
    await write(tx, id, 'STATE', `Open again: ${words}`, null);
  });
}

/** Changes a case under its lock, so that of two members of staff the second one finds what the first one did. */
const changed = (ctx: Context, id: string, work: (tx: Context, abuse: AbuseCase) => Promise<void>): Promise<AbuseCase> =>
  inTransaction(ctx, async (tx) => {
    const abuse = await lockAbuseCase(tx.em, id);
    if (!abuse) throw fail('abuse_case_not_found');
    await work(tx, abuse);
    return abuse;
  });

const write = (tx: Context, caseId: string, kind: AbuseEntryKind, title: string, accountId: string | null): Promise<unknown> =>
  insertAbuseEntry(tx.em, {
    id: newId('abent', tx.clock),
    caseId,
    at: tx.clock.now(),
    by: accountOf(tx),
    kind,
    accountId,
    title,
    lines: [],
  });
