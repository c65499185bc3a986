// Announcements that staff publish above every page of the dashboard, and that a customer can dismiss.
import { accountOf, personOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import type { Context } from '../../context.ts';
import type { GivenText } from '../../identity/domain/local-text.ts';
import { type AnnouncementAudience, headingOf, messageOf, shownSpan } from '../domain/announcement.ts';
import { type Announcement, announcementWithId, insertAnnouncement, insertDismissal, lockAnnouncement } from '../entities/announcement.ts';

export interface NewAnnouncement {
  audience: AnnouncementAudience;
  title: GivenText;
  text: GivenText;
  /** When it is first shown. Absent: now. */
  showsFrom?: Date | null | undefined;
  showsUntil: Date;
}

/** Errors: parameter_invalid. */
export const publishAnnouncement = (ctx: Context, given: NewAnnouncement): Promise<Announcement> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const announcement = {
      id: newId('ann', tx.clock),
      audience: given.audience,
      title: headingOf(given.title),
      text: messageOf(given.text),
      ...shownSpan(given, now),
      endedAt: null,
      publishedBy: accountOf(tx),
      publishedAt: now,
    } as Announcement;
    await insertAnnouncement(tx.em, announcement);
    return announcement;
  });

/** Ends an announcement. Errors: announcement_not_found (none, or it is over). */
export const endAnnouncement = (ctx: Context, id: string): Promise<Announcement> =>
  inTransaction(ctx, async (tx) => {
    const announcement = await lockAnnouncement(tx.em, id);
    const now = tx.clock.now();
    if (!announcement || announcement.endedAt || announcement.showsUntil <= now) throw fail('announcement_not_found');
    announcement.endedAt = now;
    await tx.em.flush();
    return announcement;
  });

/** Dismisses an announcement for the caller's person; idempotent. Errors: announcement_not_found. */
export const dismissAnnouncement = (ctx: Context, id: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    if (!(await announcementWithId(tx.em, id))) throw fail('announcement_not_found');
    await insertDismissal(tx.em, { id, accountId: personOf(tx), at: tx.clock.now() });
    return true;
  });
