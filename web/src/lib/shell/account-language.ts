// The language of a reader who is signed in: that of the account, which mails and pages use.
import { operation } from '#lib/operation.svelte.ts';
import { ChooseLanguage } from '#lib/ops/account.ts';
import { type Language, chooseLanguage } from '#lib/text/language.ts';

/** The API's names of the languages. */
const names = { en: 'EN', de: 'DE' } as const satisfies Record<Language, string>;

/** Returns a function that saves the choice and reloads the page. When the choice cannot be saved, a toast says so and the language stays. */
export function accountLanguage(): (chosen: Language) => Promise<void> {
  const saving = operation(ChooseLanguage, { toastFailure: true });
  return async (chosen) => {
    if (!(await saving.run({ language: names[chosen] }))) chooseLanguage(chosen);
  };
}
