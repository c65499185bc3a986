// The texts of the dashboard, in parts and only in the page's language: a page loads only the parts that it shows.
// A component imports `t` from the module of its part. That module awaits the texts, so that code that reads them runs only when they are loaded.
import { type Language, language } from './language.ts';

/** The English texts define the type: a text that is missing in another language is a type error. */
type Modules<Texts> = Record<Language, () => Promise<NoInfer<Texts>>> & { en: () => Promise<Texts> };

export const inLanguage = <Texts>(modules: Modules<Texts>): Promise<Texts> => modules[language]();

/** The texts that every page may show. */
export const common = inLanguage({ en: () => import('./en/index.ts'), de: () => import('./de/index.ts') });

/** Loads the common texts and those of a part at the same time. */
export async function texts<Texts extends object>(modules: Modules<Texts>): Promise<Awaited<typeof common> & Texts> {
  const [shared, own] = await Promise.all([common, inLanguage(modules)]);
  return { ...shared, ...own };
}
