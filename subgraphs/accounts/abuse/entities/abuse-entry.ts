import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { type EntityManager, runStatement } from '#platform/database.ts';
import type { AbuseEntryKind, AbuseLine } from '../domain/abuse-case.ts';

/** What was found, said or done about a case; never changed. An entry with an account links the account to the case. */
export const AbuseEntry = defineEntity({
  name: 'AbuseEntry',
  tableName: 'abuse_entry',
  properties: (p) => ({
    id: p.string().primary(),
    caseId: p.string(),
    at: p.datetime(),
    /** The member of staff who wrote it; null: the platform. */
    by: p.string().nullable(),
    kind: p.string().$type<AbuseEntryKind>(),
    accountId: p.string().nullable(),
    title: p.string(),
    lines: p.json<AbuseLine[]>(),
  }),
});
export type AbuseEntry = InferEntity<typeof AbuseEntry>;

/** In chronological order. */
export const entriesOfCase = (em: EntityManager, caseId: string): Promise<AbuseEntry[]> =>
  em.find(AbuseEntry, { caseId }, { orderBy: { at: 'asc', id: 'asc' } });

export const insertAbuseEntry = (em: EntityManager, row: AbuseEntry): Promise<unknown> => em.insert(AbuseEntry, row);

/** The ids of open cases that the account is linked to. */
export const openCasesOfAccount = async (em: EntityManager, accountId: string): Promise<string[]> =>
  (
    await runStatement<{ id: string }>(
      em,
      `select id from accounts.abuse_case c where closed_at is null
       and exists (select from accounts.abuse_entry e where e.case_id = c.id and e.account_id = $1) order by id`,
      [accountId],
    )
  ).map(({ id }) => id);
