// Terms, privacy policy and imprint: which versions are in force, who has agreed to them, and how a new version is published.
import { accountOf } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { because, fail } from '#platform/errors.ts';
import { newId } from '#platform/ids.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import type { IdentityContext } from '../context.ts';
import { type Accepted, type LegalKind, inForce, notAgreed } from '../domain/legal-text.ts';
import { type GivenText, toLocalText } from '../domain/local-text.ts';
import { type LegalText, consentsOf, insertConsents, insertLegalText, legalTexts, lockLegalTexts } from '../entities/legal-text.ts';
import { record } from './activity.ts';

/** The version in force of each kind that has been published. */
export const textsInForce = async ({ em, clock }: IdentityContext): Promise<LegalText[]> => inForce(await legalTexts(em), clock.now());

/** The texts that an account has not agreed to yet. */
export const consentsDue = async ({ em, clock }: IdentityContext, accountId: string): Promise<LegalText[]> =>
  notAgreed(await legalTexts(em), await consentsOf(em, accountId), clock.now());

/** Requires consent to the texts in force before an account is created; returns those of `accepted` that exist. Errors: consent_required. */
export async function requireAccepted({ em, clock }: IdentityContext, accepted: readonly Accepted[]): Promise<Accepted[]> {
  const texts = await legalTexts(em);
  const [missing] = notAgreed(texts, accepted, clock.now());
  if (missing) throw fail('consent_required', { field: 'accepts' });
  // A text that was never published cannot be agreed to.
  return accepted.filter(({ kind, version }) => texts.some((text) => text.kind === kind && text.version === version));
}

/** Records that the caller agrees to a version. Errors: parameter_invalid (there is none). */
export async function giveConsent(ctx: IdentityContext, accepted: Accepted): Promise<string> {
  const accountId = accountOf(ctx);
  const { kind, version } = accepted;
  await inTransaction(ctx, async (tx) => {
    const texts = await legalTexts(tx.em);
    if (!texts.some((text) => text.kind === kind && text.version === version))
      throw fail('parameter_invalid', { field: 'version', reason: because('legal_version_unknown') });
    await insertConsents(tx.em, accountId, [accepted], { givenAt: tx.clock.now(), address: tx.viewer.address });
    await record(tx, { type: 'consent.given', accountId, subject: accountId, data: { kind, version } });
  });
  return accountId;
}

export interface NewLegalText {
  kind: LegalKind;
  text: GivenText;
  note?: string | null | undefined;
  /** When it comes into force. Absent: now. */
  validFrom?: Date | null | undefined;
}

/** Publishes the next version of a kind. Errors: parameter_invalid. */
export function publishLegalText(ctx: IdentityContext, { kind, text, note, validFrom }: NewLegalText): Promise<LegalText> {
  const said = toLocalText('text', TEXT_MAX.legalText, text);
  const words = (note ?? '').trim();
  if (words.length > TEXT_MAX.legalNote)
    throw fail('parameter_invalid', { field: 'note', reason: because('line_length', { max: TEXT_MAX.legalNote }) });
  return inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const from = validFrom ?? now;
    if (from < now) throw fail('parameter_invalid', { field: 'validFrom', reason: because('legal_from_past') });
    await lockLegalTexts(tx.em);
    const [latest] = (await legalTexts(tx.em)).filter((one) => one.kind === kind);
    // A version that begins before an earlier one would never be in force.
    if (latest && latest.validFrom > from) throw fail('parameter_invalid', { field: 'validFrom', reason: because('legal_from_earlier') });
    return insertLegalText(tx.em, {
      id: newId('legal', tx.clock),
      kind,
      version: (latest?.version ?? 0) + 1,
      said,
      note: words,
      validFrom: from,
      publishedAt: now,
      publishedBy: accountOf(tx),
    } as LegalText);
  });
}
