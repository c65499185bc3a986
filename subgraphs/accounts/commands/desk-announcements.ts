// The desk's commands on what staff tell customers above every page.
import { LANGUAGE_CODES } from '#platform/language.ts';
import { ANNOUNCEMENT_AUDIENCES } from '../support/domain/announcement.ts';
import { announcements, dismissalsOf } from '../support/entities/announcement.ts';
import { endAnnouncement, publishAnnouncement } from '../support/services/announcements.ts';
import type { Context } from '../context.ts';
import { Refusal, momentOf, table } from '#platform/desk-command.ts';
import { type Command, localTextOf, oneOf } from './desk.ts';

async function rows({ em, clock }: Context, open: boolean): Promise<string> {
  const found = await announcements(em, open, clock.now());
  const dismissals = await dismissalsOf(
    em,
    found.map(({ id }) => id),
  );
  return table(
    found.map(({ id, audience, title, showsFrom, showsUntil, endedAt }) => [
      ...[id, audience, showsFrom.toISOString(), (endedAt ?? showsUntil).toISOString()],
      ...[
        `dismissed by ${dismissals.get(id) ?? 0}`,
        LANGUAGE_CODES.filter((language) => title[language] !== undefined).join(','),
        title.en,
      ],
    ]),
  );
}

export const ANNOUNCEMENT_COMMANDS: Readonly<Record<string, Command>> = {
  announcements: {
    permission: 'announcements',
    words: 'open|over',
    about: 'what is told above every page: to whom, from when until when, how many have dismissed it',
    run: (ctx, { of }) => rows(ctx, of !== 'over'),
  },
  announce: {
    permission: 'announcements',
    words: `${ANNOUNCEMENT_AUDIENCES.join('|').toLowerCase()} --title "EN | DE" --terms "EN | DE" --to AT [--from AT]`,
    about: 'tells it above every page from now, or from --from, to --to; static: to who has bought something of that seller',
    async run(ctx, { of, title, terms, from, to }) {
      const audience = oneOf(ANNOUNCEMENT_AUDIENCES, 'The audience', of);
      const showsUntil = momentOf('to', to);
      if (showsUntil === null) throw new Refusal('Say until when it is shown: --to AT, an instant such as 2026-03-01T22:00Z.');
      const { id, showsFrom } = await publishAnnouncement(ctx, {
        audience,
        title: localTextOf('title', title),
        text: localTextOf('terms', terms),
        showsFrom: momentOf('from', from),
        showsUntil,
      });
      return `${id} is shown from ${showsFrom.toISOString()} to ${showsUntil.toISOString()}.`;
    },
  },
  'announcement-end': {
    permission: 'announcements',
    words: 'ANNOUNCEMENT-ID',
    about: 'nobody is shown it from now on',
    run: async (ctx, { of }) => `${(await endAnnouncement(ctx, of)).id} is over.`,
  },
};
