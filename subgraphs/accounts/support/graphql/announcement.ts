import { memberOf } from '#platform/identity.ts';
import { batched } from '#platform/batched.ts';
import { builder } from '../../builder.ts';
import { Account } from '../../identity/graphql/account.ts';
import type { LocalText } from '../../identity/domain/local-text.ts';
import { ANNOUNCEMENT_AUDIENCES } from '../domain/announcement.ts';
import { type Announcement as AnnouncementEntity, announcements, announcementsFor, dismissalsOf } from '../entities/announcement.ts';
import { dismissAnnouncement, endAnnouncement, publishAnnouncement } from '../services/announcements.ts';

const AnnouncementAudience = builder.enumType('AnnouncementAudience', { values: ANNOUNCEMENT_AUDIENCES });

const AnnouncementText = builder.objectRef<LocalText>('AnnouncementText').implement({
  fields: (t) => ({ en: t.exposeString('en'), de: t.string({ nullable: true, resolve: ({ de }) => de ?? null }) }),
});

const dismissalsOfOne = batched(async (em, ids) => {
  const counts = await dismissalsOf(em, ids);
  return ids.map((id) => counts.get(id) ?? 0);
});

const Announcement = builder.objectRef<AnnouncementEntity>('Announcement').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    audience: t.expose('audience', { type: AnnouncementAudience }),
    title: t.field({ type: AnnouncementText, resolve: ({ title }) => title }),
    text: t.field({ type: AnnouncementText, resolve: ({ text }) => text }),
    showsFrom: t.expose('showsFrom', { type: 'DateTime' }),
    showsUntil: t.expose('showsUntil', { type: 'DateTime' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
    dismissals: t.int({ authScopes: { staff: 'announcements' }, resolve: ({ id }, _, { em }) => dismissalsOfOne(em, id) }),
  }),
});

const AnnouncementTextInput = builder.inputType('AnnouncementTextInput', {
  fields: (t) => ({ en: t.string({ required: true }), de: t.string() }),
});

const SupportAnnouncementInput = builder.inputType('SupportAnnouncementInput', {
  fields: (t) => ({
    audience: t.field({ type: AnnouncementAudience, required: true }),
    title: t.field({ type: AnnouncementTextInput, required: true }),
    text: t.field({ type: AnnouncementTextInput, required: true }),
    showsFrom: t.field({ type: 'DateTime' }),
    showsUntil: t.field({ type: 'DateTime', required: true }),
  }),
});

builder.objectField(Account, 'announcements', (t) =>
  t.field({
    type: [Announcement],
    authScopes: { session: 'read' },
    // Members of a team put away what they have read, each for themselves.
    resolve: ({ id: accountId }, _, { em, clock, viewer }) =>
      announcementsFor(em, { accountId, readerId: memberOf(viewer)?.accountId ?? accountId }, clock.now()),
  }),
);

builder.queryField('supportAnnouncements', (t) =>
  t.field({
    type: [Announcement],
    authScopes: { staff: 'announcements' },
    args: { open: t.arg.boolean({ defaultValue: true }) },
    resolve: (_, { open }, { em, clock }) => announcements(em, open ?? true, clock.now()),
  }),
);

builder.mutationFields((t) => ({
  announcementDismiss: t.boolean({
    authScopes: { session: 'read' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => dismissAnnouncement(ctx, id),
  }),
  supportAnnouncementPublish: t.field({
    type: Announcement,
    authScopes: { staff: 'announcements' },
    args: { input: t.arg({ type: SupportAnnouncementInput, required: true }) },
    resolve: (_, { input }, ctx) => publishAnnouncement(ctx, input),
  }),
  supportAnnouncementEnd: t.field({
    type: Announcement,
    authScopes: { staff: 'announcements' },
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, ctx) => endAnnouncement(ctx, id),
  }),
}));
