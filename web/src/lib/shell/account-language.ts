// The language of somebody who is signed in: their account's, which mails are written in too, and with it the pages'.
import { operation } from '#lib/operation.svelte.ts';
import { ChooseLanguage } from '#lib/ops/account.ts';
import { type Language, chooseLanguage } from '#lib/text/language.ts';

/** The API's name of each. */
const names = { en: 'EN', de: 'DE' } as const satisfies Record<Language, string>;

/** For as long as a component lives: saves the choice and loads the page anew in it; what cannot be saved is said, and stays as it was. */
export function accountLanguage(): (chosen: Language) => Promise<void> {
  const saving = operation(ChooseLanguage, { toastFailure: true });
  return async (chosen) => {
    if (!(await saving.run({ language: names[chosen] }))) chooseLanguage(chosen);
  };
}
