// The desk's commands on texts of mails that the operator writes.
import { Refusal, table } from '#platform/desk-command.ts';
import { LANGUAGE_CODES, type Language } from '#platform/language.ts';
import { accountOf as callerOf } from '#platform/context.ts';
import { existingAccount } from '../identity/entities/account.ts';
import { type MailTemplate, readTemplate } from '../mail/domain/mail-template.ts';
import { previewMail, publishTemplate } from '../mail/services/mail-templates.ts';
import { type MailTextRow, mailTextRows, mailTextWithKind } from '../mail/services/mail-texts.ts';
import { tryMail } from '../mail/services/mails.ts';
import { type Command, type Words, textIn } from './desk.ts';

/** The texts of the files that --en and --de name. */
async function drafts(words: Words): Promise<[Language, MailTemplate][]> {
  const read = await Promise.all(LANGUAGE_CODES.map(async (language) => [language, await textIn(language, words[language])] as const));
  return read.flatMap(([language, text]) => (text === undefined ? [] : [[language, readTemplate(text)] as [Language, MailTemplate]]));
}

/** The same; without any, what is sent now in each language. */
async function asShown(words: Words): Promise<[Language, MailTemplate | undefined][]> {
  const given = await drafts(words);
  return given.length > 0 ? given : LANGUAGE_CODES.map((language) => [language, undefined]);
}

const named = (fields: readonly string[]) => fields.map((name) => `{${name}}`).join(' ') || '-';

const rowsOf = ({ kind, needed, known, versions }: MailTextRow) => [
  [kind, `needs ${named(needed)}`, `knows ${named(known)}`],
  ...versions.map(({ language, version, subject, publishedAt, note }) => [
    ...[kind, `${language} ${version}`, publishedAt.toISOString(), subject ?? "the program's own"],
    note,
  ]),
];

export const MAIL_COMMANDS: Readonly<Record<string, Command>> = {
  'mail-texts': {
    permission: 'legal',
    words: 'MAIL|all',
    about: 'the mails whose text can be written, what each needs and knows, and the versions that were published',
    async run(ctx, { of }) {
      const texts = of === 'all' ? await mailTextRows(ctx) : [await mailTextWithKind(ctx, of)];
      return table(texts.flatMap(rowsOf));
    },
  },
  'mail-text': {
    permission: 'legal',
    words: 'MAIL [--en FILE] [--de FILE]',
    about: 'shows it with sample data: what is sent now, or the text of a file, whose first line is the subject',
    async run(ctx, words) {
      const asked = await asShown(words);
      const shown = await Promise.all(asked.map(([language, draft]) => previewMail(ctx, words.of, language, draft)));
      return shown.map(({ subject, text }, index) => `${asked[index]?.[0]}: ${subject}\n\n${text}`).join('\n');
    },
  },
  'mail-text-try': {
    permission: 'legal',
    words: 'MAIL [--en FILE] [--de FILE]',
    about: 'sends the same to your own address',
    async run(ctx, words) {
      const { email } = await existingAccount(ctx.em, callerOf(ctx));
      if (!email) throw new Refusal('Your account has no address to send it to.');
      const asked = await asShown(words);
      for (const [language, draft] of asked) await tryMail(ctx, email, words.of, language, draft);
      return `Sent to ${email}: ${asked.map(([language]) => language).join(', ')}.`;
    },
  },
  'mail-text-publish': {
    permission: 'legal',
    words: 'MAIL --en FILE|--de FILE [--reason TEXT]',
    about: 'mails that are sent from now on have this text in that language',
    async run(ctx, words) {
      const given = await drafts(words);
      if (given.length === 0) throw new Refusal('Name the file of the text: --en FILE or --de FILE.');
      for (const [language, draft] of given) await previewMail(ctx, words.of, language, draft);
      const done: string[] = [];
      for (const [language, template] of given) {
        const { version } = await publishTemplate(ctx, { kind: words.of, language, template, note: words.reason });
        done.push(`${language} ${version}`);
      }
      return `${words.of} is sent by ${done.join(' and ')} from now on.`;
    },
  },
  'mail-text-withdraw': {
    permission: 'legal',
    words: 'MAIL [--reason TEXT]',
    about: "the program's own text is sent again, in every language",
    async run(ctx, { of, reason }) {
      for (const language of LANGUAGE_CODES) await publishTemplate(ctx, { kind: of, language, template: null, note: reason });
      return `${of} is sent as the program has it from now on.`;
    },
  },
};
