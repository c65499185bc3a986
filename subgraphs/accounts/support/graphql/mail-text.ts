import { accountOf } from '#platform/context.ts';
import { fail } from '#platform/errors.ts';
import { builder } from '../../builder.ts';
import { existingAccount } from '../../identity/entities/account.ts';
import { Language } from '../../identity/graphql/language.ts';
import type { MailTemplate } from '../../mail/domain/mail-template.ts';
import type { MailTemplateVersion } from '../../mail/entities/mail-template.ts';
import { type MailTextRow, type StandardText, mailTextRows, mailTextWithKind } from '../../mail/services/mail-texts.ts';
import { previewMail, publishTemplate } from '../../mail/services/mail-templates.ts';
import { tryMail } from '../../mail/services/mails.ts';

const MailTextVersion = builder.objectRef<MailTemplateVersion>('MailTextVersion').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    language: t.expose('language', { type: Language }),
    version: t.exposeInt('version'),
    subject: t.exposeString('subject', { nullable: true }),
    body: t.exposeString('body', { nullable: true }),
    note: t.exposeString('note'),
    publishedAt: t.expose('publishedAt', { type: 'DateTime' }),
    publishedBy: t.exposeString('publishedBy'),
  }),
});

const MailTextStandard = builder.objectRef<StandardText>('MailTextStandard').implement({
  fields: (t) => ({
    language: t.expose('language', { type: Language }),
    subject: t.exposeString('subject'),
    body: t.exposeString('body'),
  }),
});

const MailText = builder.objectRef<MailTextRow>('MailText').implement({
  fields: (t) => ({
    kind: t.exposeString('kind'),
    needed: t.stringList({ resolve: ({ needed }) => [...needed] }),
    known: t.stringList({ resolve: ({ known }) => [...known] }),
    standard: t.field({ type: [MailTextStandard], resolve: ({ standard }) => [...standard] }),
    versions: t.field({ type: [MailTextVersion], resolve: ({ versions }) => [...versions] }),
  }),
});

const MailTextPreview = builder
  .objectRef<{ subject: string; text: string }>('MailTextPreview')
  .implement({ fields: (t) => ({ subject: t.exposeString('subject'), text: t.exposeString('text') }) });

const SupportMailTextInput = builder.inputType('SupportMailTextInput', {
  fields: (t) => ({
    kind: t.string({ required: true }),
    language: t.field({ type: Language, required: true }),
    subject: t.string(),
    body: t.string(),
  }),
});

/** What is typed; undefined without a subject and a body: what is sent now is meant. */
const draftOf = ({ subject, body }: { subject?: string | null; body?: string | null }): MailTemplate | undefined =>
  subject == null && body == null ? undefined : { subject: (subject ?? '').trim(), body: (body ?? '').replaceAll(/\r\n?/g, '\n').trim() };

builder.queryFields((t) => ({
  supportMailTexts: t.field({ type: [MailText], authScopes: { staff: 'legal' }, resolve: (_root, _args, ctx) => mailTextRows(ctx) }),
  supportMailTextPreview: t.field({
    type: MailTextPreview,
    authScopes: { staff: 'legal' },
    args: { input: t.arg({ type: SupportMailTextInput, required: true }) },
    resolve: (_root, { input }, ctx) => previewMail(ctx, input.kind, input.language, draftOf(input)),
  }),
}));

builder.mutationFields((t) => ({
  supportMailTextPublish: t.field({
    type: MailText,
    authScopes: { staff: 'legal' },
    args: { input: t.arg({ type: SupportMailTextInput, required: true }), note: t.arg.string() },
    async resolve(_root, { input, note }, ctx) {
      const { kind, language } = input;
      await publishTemplate(ctx, { kind, language, template: draftOf(input) ?? null, note });
      return mailTextWithKind(ctx, kind);
    },
  }),
  supportMailTextTry: t.string({
    authScopes: { staff: 'legal' },
    args: { input: t.arg({ type: SupportMailTextInput, required: true }) },
    async resolve(_root, { input }, ctx) {
      const { email } = await existingAccount(ctx.em, accountOf(ctx));
      if (!email) throw fail('email_missing');
      await tryMail(ctx, email, input.kind, input.language, draftOf(input));
      return email;
    },
  }),
}));
