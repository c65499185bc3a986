// The texts of the dashboard, part by part and in the page's language alone: what a page does not show, it does not load.
// A component imports `t` from the part that it belongs to. It is awaited there, so that whatever reads a text is evaluated only when the texts are there.
import { type Language, language } from './language.ts';

/** English is the model: a text that another language lacks fails the types. */
type Modules<Texts> = Record<Language, () => Promise<NoInfer<Texts>>> & { en: () => Promise<Texts> };

export const inLanguage = <Texts>(modules: Modules<Texts>): Promise<Texts> => modules[language]();

/** What every page may show. */
export const common = inLanguage({ en: () => import('./en/index.ts'), de: () => import('./de/index.ts') });

/** What every page may show, and the texts of a part; both are loaded at once. */
export async function texts<Texts extends object>(modules: Modules<Texts>): Promise<Awaited<typeof common> & Texts> {
  const [shared, own] = await Promise.all([common, inLanguage(modules)]);
  return { ...shared, ...own };
}
