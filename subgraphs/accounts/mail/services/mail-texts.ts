// The mails whose text an operator may write, with every version that was published.
import type { MailContext } from '../context.ts';
import type { MailFields } from '../domain/mail-template.ts';
import { type MailTemplateVersion, mailTemplates } from '../entities/mail-template.ts';
import { fieldsOf } from './mail-templates.ts';

export interface MailTextRow extends MailFields {
  kind: string;
  /** The latest first, of all languages. */
  versions: readonly MailTemplateVersion[];
}

/** Every kind, by its name. */
export async function mailTextRows(ctx: MailContext): Promise<MailTextRow[]> {
  const versions = await mailTemplates(ctx.em);
  return Object.keys(ctx.providers.mailFields)
    .toSorted()
    .map((kind) => ({ kind, ...fieldsOf(ctx, kind), versions: versions.filter((version) => version.kind === kind) }));
}

/** One of them. Errors: parameter_invalid. */
export async function mailTextWithKind(ctx: MailContext, kind: string): Promise<MailTextRow> {
  return { kind, ...fieldsOf(ctx, kind), versions: await mailTemplates(ctx.em, kind) };
}
