// The texts of the documents that exist in every language; the reference is in English alone.
import type { Language } from '#platform/language.ts';
import { guides as germanGuides } from './de/guides.ts';
import { proxyTexts as germanProxies } from './de/proxies.ts';
import { shell as germanShell } from './de/shell.ts';
import { start as germanStart } from './de/start.ts';
import { guides } from './en/guides.ts';
import { proxyTexts } from './en/proxies.ts';
import { shell } from './en/shell.ts';
import { start } from './en/start.ts';

const english = { shell, start, guides, proxyTexts };

export const TEXTS: Readonly<Record<Language, typeof english>> = {
  en: english,
  de: { shell: germanShell, start: germanStart, guides: germanGuides, proxyTexts: germanProxies },
};

export type ShellText = typeof shell;
