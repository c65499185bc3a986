import type { Language as LanguageCode } from '#platform/language.ts';
import { builder } from '../../builder.ts';
import { chooseLanguage } from '../services/language.ts';
import { Account } from './account.ts';

/** Each language by its name in the SDL. */
const VALUES = { EN: { value: 'en' }, DE: { value: 'de' } } as const satisfies Record<Uppercase<LanguageCode>, { value: LanguageCode }>;

export const Language = builder.enumType('Language', { values: VALUES });

builder.objectField(Account, 'language', (t) => t.expose('language', { type: Language }));

builder.mutationField('accountChooseLanguage', (t) =>
  t.field({
    type: Account,
    authScopes: { session: 'read' },
    args: { language: t.arg({ type: Language, required: true }) },
    resolve: (_, { language }, ctx) => chooseLanguage(ctx, language),
  }),
);
