// The mails whose text an operator may write, with every version that was published.
import { LANGUAGE_CODES, type Language } from '#platform/language.ts';
import type { MailContext } from '../context.ts';
import type { MailKind } from '../domain/mail-kind.ts';
import type { MailFields, MailTemplate } from '../domain/mail-template.ts';
import { standardTemplate } from '../domain/standard-template.ts';
import { type MailTemplateVersion, mailTemplates } from '../entities/mail-template.ts';
import { fieldsOf } from './mail-templates.ts';

export interface StandardText extends MailTemplate {
  language: Language;
}

export interface MailTextRow extends MailFields {
  kind: string;
  /** The program's own text, in each language. */
  standard: readonly StandardText[];
  /** The latest first, of all languages. */
  versions: readonly MailTemplateVersion[];
}

/** Every kind, by its name. */
export async function mailTextRows(ctx: MailContext): Promise<MailTextRow[]> {
  const versions = await mailTemplates(ctx.em);
  return Object.keys(ctx.providers.mailFields)
    .toSorted()
    .map((kind) =>
      rowOf(
        ctx,
        kind,
        versions.filter((version) => version.kind === kind),
      ),
    );
}

/** One of them. Errors: parameter_invalid. */
export async function mailTextWithKind(ctx: MailContext, kind: string): Promise<MailTextRow> {
  return rowOf(ctx, kind, await mailTemplates(ctx.em, kind));
}

function rowOf(ctx: MailContext, kind: string, versions: readonly MailTemplateVersion[]): MailTextRow {
  const { mails, mailSamples } = ctx.providers;
  const fields = fieldsOf(ctx, kind);
  const [name, sample] = [kind as MailKind, mailSamples[kind as MailKind]];
  const standard = LANGUAGE_CODES.map((language) => ({ language, ...standardTemplate(mails[language][name], fields, sample) }));
  return { kind, ...fields, standard, versions };
}
