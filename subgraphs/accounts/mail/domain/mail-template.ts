// Texts of mails that an operator writes: a subject, and paragraphs with {placeholders} for the data of the mail. Nothing in them is a condition or a program.
import { because, fail } from '#platform/errors.ts';
import type { Language } from '#platform/language.ts';
import { TEXT_MAX } from '../../../../schema/limits.ts';
import { day, decimal, minute, sum } from './german.ts';
import { type MailText, writeIn } from './mail-text.ts';
import { type Said, sayIn } from './said.ts';

/** What a template of a kind of mail may say: fields of its data. `needed`: without these the mail would be of no use. */
export interface MailFields {
  needed: readonly string[];
  known: readonly string[];
}

export interface MailTemplate {
  subject: string;
  body: string;
}

const PLACEHOLDER = /\{([a-zA-Z]*)\}/g;
/** A paragraph that becomes a link: its words, a colon, and the address. */
const LINK = /^(.+):\s*\{url\}$/s;
/** Every mail has it. */
const BRAND = 'brand';

const paragraphsOf = (body: string): string[] =>
  body
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);

/** A text as a file has it: the subject in the first line, then the body. Line ends of any system. */
export function readTemplate(text: string): MailTemplate {
  const [subject = '', ...rest] = text.replaceAll(/\r\n?/g, '\n').trim().split('\n');
  return { subject: subject.trim(), body: rest.join('\n').trim() };
}

/** Throws `parameter_invalid` with the reason why a template cannot be one of a kind of mail. */
export function checkTemplate({ subject, body }: MailTemplate, { needed, known }: MailFields): void {
  const unfit = (field: string, reason: ReturnType<typeof because>) => fail('parameter_invalid', { field, reason });
  for (const [field, text, max] of [
    ['subject', subject, TEXT_MAX.mailSubject],
    ['text', body, TEXT_MAX.mailText],
  ] as const)
    if (text === '' || text.length > max) throw unfit(field, because('line_length', { max }));
  const names = [BRAND, ...needed, ...known];
  for (const [field, text] of [
    ['subject', subject],
    ['text', body],
  ] as const) {
    const asked = [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
    const unknown = asked.find((name) => !names.includes(name)) ?? (/[{}]/.test(text.replaceAll(PLACEHOLDER, '')) ? '' : undefined);
    if (unknown !== undefined)
      throw unfit(field, because('mail_placeholder_unknown', { name: `{${unknown}}`, known: names.map((name) => `{${name}}`).join(' ') }));
  }
  const missing = needed.find((name) => !`${subject}\n${body}`.includes(`{${name}}`));
  if (missing !== undefined) throw unfit('text', because('mail_placeholder_missing', { name: `{${missing}}` }));
  const links = paragraphsOf(body).filter((paragraph) => paragraph.includes('{url}'));
  if (subject.includes('{url}') || links.length > 1 || links.some((paragraph) => !LINK.test(paragraph)))
    throw unfit('text', because('mail_link_unfit'));
}

const GERMAN: readonly [RegExp, (text: string) => string][] = [
  [/^-?\d+\.\d\d [A-Z]{3}$/, sum],
  [/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/, minute],
  [/^\d{4}-\d\d-\d\d$/, day],
  [/^\d+\.\d+ [A-Z]B$/, decimal],
];

/** A value of a mail's data in the words of a language, as its own texts would say it. */
function wordsOf(language: Language, value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString(language === 'de' ? 'de-DE' : 'en');
  if (typeof value === 'string') return language === 'de' ? (GERMAN.find(([form]) => form.test(value))?.[1](value) ?? value) : value;
  if (Array.isArray(value)) return value.map((one) => wordsOf(language, one)).join('\n');
  return value === null || value === undefined ? '' : sayIn(language, value as Said);
}

/** Writes a mail by a template. What people typed is put in once, and never read as a placeholder. */
export function writeByTemplate(language: Language, { subject, body }: MailTemplate, data: Readonly<Record<string, unknown>>): MailText {
  const filled = (text: string) => text.replaceAll(PLACEHOLDER, (_, name: string) => wordsOf(language, data[name]));
  const paragraphs = paragraphsOf(body);
  const label = paragraphs.map((paragraph) => LINK.exec(paragraph)?.[1]).find((found) => found !== undefined);
  return writeIn(language)({
    subject: filled(subject).replaceAll(/\s+/g, ' '),
    paragraphs: paragraphs.filter((paragraph) => !LINK.test(paragraph)).map(filled),
    ...(label !== undefined && { link: { label: filled(label), url: String(data['url']) } }),
    closing: String(data[BRAND]),
  });
}
