// Incidents as RSS 2.0 (https://www.rssboard.org/rss-specification): one item for each update of an incident, the latest first.
import type { Language } from '#platform/language.ts';
import type { Incident, IncidentText, StatusReport } from './status-report.ts';
import { STATUS_WORDS } from './status-words.ts';

export interface FeedTerms {
  brand: string;
  /** The URL at which readers reach this installation. */
  publicUrl: string;
  language: Language;
  now: Date;
}

const MAX_ITEMS = 100;

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
/** Removes control characters, which XML 1.0 cannot represent. */
const escape = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replaceAll(/[&<>"']/g, (sign) => ESCAPES[sign] ?? '');
const element = (name: string, text: string): string => `<${name}>${escape(text)}</${name}>`;

/** RFC 822 with a year of four digits, as RSS requires. */
const dateOf = (at: Date): string => at.toUTCString().replace('GMT', '+0000');

const inLanguage = (text: IncidentText, language: Language): string => text[language] ?? text.en;

export function statusFeed({ incidents }: StatusReport, { brand, publicUrl, language, now }: FeedTerms): string {
  const words = STATUS_WORDS[language];
  const page = `${publicUrl}/status`;
  const item = ({ title, components }: Incident, { id, step, text, at }: Incident['updates'][number]) =>
    [
      '<item>',
      element('title', `${inLanguage(title, language)} – ${words.steps[step]}`),
      element('link', page),
      element('description', `${inLanguage(text, language)}\n\n${components.map((component) => words.components[component]).join(', ')}`),
      `<guid isPermaLink="false">${escape(id)}</guid>`,
      element('pubDate', dateOf(new Date(at))),
      '</item>',
    ].join('');
  const items = incidents
    .flatMap((incident) => incident.updates.map((update) => ({ incident, update })))
    .toSorted((one, other) => other.update.at.localeCompare(one.update.at))
    .slice(0, MAX_ITEMS);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    element('title', words.title(brand)),
    element('link', page),
    `<atom:link href="${escape(`${publicUrl}/status.rss?language=${language}`)}" rel="self" type="application/rss+xml"/>`,
    element('description', words.about(brand)),
    element('language', language),
    element('lastBuildDate', dateOf(now)),
    ...items.map(({ incident, update }) => item(incident, update)),
    '</channel></rss>\n',
  ].join('\n');
}
