import { memberOf } from '#platform/identity.ts';
import { builder } from '../../builder.ts';
import { existingAccount } from '../entities/account.ts';
import { type Consent as ConsentEntity, type LegalText as TextEntity, consentsOf, legalTexts } from '../entities/legal-text.ts';
import { consentsDue, giveConsent, publishLegalText, textsInForce } from '../services/legal-texts.ts';
import { Account, LegalKind } from './account.ts';

const LegalText = builder.objectRef<TextEntity>('LegalText').implement({
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: LegalKind }),
    version: t.exposeInt('version'),
    en: t.string({ resolve: ({ said }) => said.en }),
    de: t.string({ nullable: true, resolve: ({ said }) => said.de ?? null }),
    validFrom: t.expose('validFrom', { type: 'DateTime' }),
    publishedAt: t.expose('publishedAt', { type: 'DateTime' }),
    note: t.string({ authScopes: { staff: 'legal' }, resolve: ({ note }) => note }),
  }),
});

const Consent = builder.objectRef<ConsentEntity>('Consent').implement({
  fields: (t) => ({
    kind: t.expose('kind', { type: LegalKind }),
    version: t.exposeInt('version'),
    givenAt: t.expose('givenAt', { type: 'DateTime' }),
  }),
});

builder.objectFields(Account, (t) => ({
  consents: t.field({ type: [Consent], authScopes: { session: true }, resolve: ({ id }, _, { em }) => consentsOf(em, id) }),
  consentsDue: t.field({
    type: [LegalText],
    authScopes: { session: 'read' },
    resolve: ({ id }, _, ctx) => (memberOf(ctx.viewer) ? [] : consentsDue(ctx, id)),
  }),
}));

const SupportLegalInput = builder.inputType('SupportLegalInput', {
  fields: (t) => ({
    kind: t.field({ type: LegalKind, required: true }),
    en: t.string({ required: true }),
    de: t.string(),
    note: t.string(),
    validFrom: t.field({ type: 'DateTime' }),
  }),
});

builder.queryFields((t) => ({
  legalTexts: t.field({ nullable: true, type: [LegalText], authScopes: { anyone: true }, resolve: (_, __, ctx) => textsInForce(ctx) }),
  supportLegalTexts: t.field({ type: [LegalText], authScopes: { staff: 'legal' }, resolve: (_, __, { em }) => legalTexts(em) }),
}));

builder.mutationFields((t) => ({
  consentGive: t.field({
    type: Account,
    authScopes: { session: true },
    args: { kind: t.arg({ type: LegalKind, required: true }), version: t.arg.int({ required: true }) },
    resolve: async (_, accepted, ctx) => existingAccount(ctx.em.fork(), await giveConsent(ctx, accepted)),
  }),
  supportLegalPublish: t.field({
    type: LegalText,
    authScopes: { staff: 'legal' },
    args: { input: t.arg({ type: SupportLegalInput, required: true }) },
    resolve: (_, { input: { en, de, ...input } }, ctx) => publishLegalText(ctx, { ...input, text: { en, de } }),
  }),
}));
