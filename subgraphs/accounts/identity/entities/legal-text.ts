// Tables accounts.legal_text and accounts.consent. Their rows are never changed.
import { type InferEntity, defineEntity } from '@mikro-orm/core';
import { sql } from 'kysely';
import type { EntityManager } from '#platform/database.ts';
import type { Accepted, LegalKind } from '../domain/legal-text.ts';
import type { LocalText } from '../domain/local-text.ts';

export const LegalText = defineEntity({
  name: 'LegalText',
  tableName: 'legal_text',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string().$type<LegalKind>(),
    version: p.integer(),
    said: p.json<LocalText>(),
    /** A note for staff about what has changed. */
    note: p.string(),
    validFrom: p.datetime(),
    publishedAt: p.datetime(),
    publishedBy: p.string(),
  }),
});
export type LegalText = InferEntity<typeof LegalText>;

export const Consent = defineEntity({
  name: 'Consent',
  tableName: 'consent',
  properties: (p) => ({
    accountId: p.string().primary(),
    kind: p.string().primary().$type<LegalKind>(),
    version: p.integer().primary(),
    givenAt: p.datetime(),
    address: p.string(),
  }),
});
export type Consent = InferEntity<typeof Consent>;

/** Every version of every kind, the latest first. */
export const legalTexts = (em: EntityManager): Promise<LegalText[]> =>
  em.find(LegalText, {}, { orderBy: { kind: 'asc', version: 'desc' } });

/** Locks publishing until the end of the transaction, so that versions have no gaps. */
export async function lockLegalTexts(em: EntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('legal texts', 0))`.execute(em.getKysely());
}

export async function insertLegalText(em: EntityManager, row: LegalText): Promise<LegalText> {
  await em.insert(LegalText, row);
  return row;
}

/** What an account has agreed to, the latest first. */
export const consentsOf = (em: EntityManager, accountId: string): Promise<Consent[]> =>
  em.find(Consent, { accountId }, { orderBy: { givenAt: 'desc', kind: 'asc' } });

/** Stores consents; one that was given before stays as it is. */
export async function insertConsents(
  em: EntityManager,
  accountId: string,
  accepted: readonly Accepted[],
  { givenAt, address }: Pick<Consent, 'givenAt' | 'address'>,
): Promise<void> {
  const rows = accepted.map(({ kind, version }) => ({ accountId, kind, version, givenAt, address }));
  if (rows.length > 0) await em.qb(Consent).insert(rows).onConflict(['accountId', 'kind', 'version']).ignore().execute('run');
}
