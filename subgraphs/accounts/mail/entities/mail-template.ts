// Table accounts.mail_template. Its rows are never changed.
import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Language } from '#platform/language.ts';

export const MailTemplateVersion = defineEntity({
  name: 'MailTemplateVersion',
  tableName: 'mail_template',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string(),
    language: p.string().$type<Language>(),
    version: p.integer(),
    /** Null, with the body: the program's own text from this version on. */
    subject: p.string().nullable(),
    body: p.string().nullable(),
    /** A note for staff about what has changed. */
    note: p.string(),
    publishedAt: p.datetime(),
    publishedBy: p.string(),
  }),
});
export type MailTemplateVersion = InferEntity<typeof MailTemplateVersion>;

/** Every version of every kind, or of one, the latest first. */
export const mailTemplates = (em: EntityManager, kind?: string): Promise<MailTemplateVersion[]> =>
  em.find(MailTemplateVersion, kind === undefined ? {} : { kind }, { orderBy: { kind: 'asc', language: 'asc', version: 'desc' } });

/** The version in force of a kind in a language. */
export const latestTemplate = (em: EntityManager, kind: string, language: Language): Promise<MailTemplateVersion | null> =>
  em.findOne(MailTemplateVersion, { kind, language }, { orderBy: { version: 'desc' } });

/** Locks publishing until the end of the transaction, so that versions have no gaps. */
export async function lockMailTemplates(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('mail templates', 0))`.execute(em.getKysely());
}

export async function insertTemplate(em: EntityManager, row: MailTemplateVersion): Promise<MailTemplateVersion> {
  await em.insert(MailTemplateVersion, row);
  return row;
}
