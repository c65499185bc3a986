// Tables accounts.announcement and accounts.announcement_dismissal.
import { type InferEntity, LockMode, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { LocalText } from '../../identity/domain/local-text.ts';
import type { AnnouncementAudience } from '../domain/announcement.ts';

export const Announcement = defineEntity({
  name: 'Announcement',
  tableName: 'announcement',
  properties: (p) => ({
    id: p.string().primary(),
    audience: p.string().$type<AnnouncementAudience>(),
    title: p.json<LocalText>(),
    text: p.json<LocalText>(),
    showsFrom: p.datetime(),
    showsUntil: p.datetime(),
    endedAt: p.datetime().nullable(),
    publishedBy: p.string(),
    publishedAt: p.datetime(),
  }),
});
export type Announcement = InferEntity<typeof Announcement>;

const MAX_LISTED = 200;
/** The most that are shown at once above a page. */
const MAX_SHOWN = 3;

/** With `open`: those that are shown now or later; otherwise the ones that are over. The latest first, at most 200. */
export const announcements = (em: EntityManager, open: boolean, now: Date): Promise<Announcement[]> =>
  em.find(
    Announcement,
    open ? { endedAt: null, showsUntil: { $gt: now } } : { $or: [{ endedAt: { $ne: null } }, { showsUntil: { $lte: now } }] },
    { orderBy: { id: 'desc' }, limit: MAX_LISTED },
  );

/** The announcements that an account is shown now, the latest first. */
export async function announcementsFor(
  em: EntityManager,
  { accountId, readerId }: { accountId: string; readerId: string },
  now: Date,
): Promise<Announcement[]> {
  const { rows } = await sql<{ id: string }>`
    select id from announcement
    where ended_at is null and shows_from <= ${now.toISOString()}::timestamptz and shows_until > ${now.toISOString()}::timestamptz
      and not exists (select from announcement_dismissal where announcement_id = announcement.id and account_id = ${readerId})
      and (audience = 'EVERYBODY' or exists (
        select from customer_order where account_id = ${accountId} and status in ('PAID', 'FULFILLED')
          and (audience = 'CUSTOMERS' or seller = lower(audience))))
    order by shows_from desc, id desc limit ${MAX_SHOWN}`.execute(em.getKysely());
  return em.find(Announcement, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { showsFrom: 'desc', id: 'desc' } });
}

export const announcementWithId = (em: EntityManager, id: string): Promise<Announcement | null> => em.findOne(Announcement, { id });

export const lockAnnouncement = (em: EntityManager, id: string): Promise<Announcement | null> =>
  em.findOne(Announcement, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });

export async function insertAnnouncement(em: EntityManager, announcement: Announcement): Promise<void> {
  await em.insert(Announcement, announcement);
}

/** From now on it is not shown to this account. */
export async function insertDismissal(em: EntityManager, dismissed: { id: string; accountId: string; at: Date }): Promise<void> {
  await sql`insert into announcement_dismissal (announcement_id, account_id, dismissed_at)
    values (${dismissed.id}, ${dismissed.accountId}, ${dismissed.at.toISOString()}::timestamptz) on conflict do nothing`.execute(
    em.getKysely(),
  );
}

/** How many accounts have dismissed each announcement; one that nobody has dismissed is missing from the map. */
export async function dismissalsOf(em: EntityManager, ids: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`select announcement_id as id, count(*)::int as count
    from announcement_dismissal where announcement_id = any(${[...ids]}::text[]) group by 1`.execute(em.getKysely());
  return new Map(rows.map(({ id, count }) => [id, count]));
}
