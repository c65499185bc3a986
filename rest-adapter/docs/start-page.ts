// `/docs`, and the guide of each product.
import type { Language } from '#platform/language.ts';
import { type Block, type DocsPage, code, heading, paragraph } from './page.ts';
import { TEXTS } from './text/index.ts';

export function startPage(publicUrl: string, language: Language): DocsPage {
  const { title, lead, sections } = TEXTS[language].start;
  return {
    path: '/docs',
    title,
    summary: lead,
    language,
    blocks: sections.flatMap((section): Block[] => [
      heading(section.title),
      ...section.text.map(paragraph),
      ...(section.code ? [code(section.code.language, section.code.text.replaceAll('ORIGIN', publicUrl))] : []),
    ]),
  };
}

export const guidePages = (language: Language): DocsPage[] =>
  Object.entries(TEXTS[language].guides).map(([name, { title, lead, sections }]) => ({
    path: `/docs/${name}`,
    title,
    summary: lead,
    language,
    blocks: sections.flatMap((section) => [heading(section.title), ...section.text.map(paragraph)]),
  }));
