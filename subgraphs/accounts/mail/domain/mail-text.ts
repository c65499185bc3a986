// The parts of a mail: subject, text, and the same text as plain HTML. It has no pictures, loads nothing from outside and tracks nothing.

import type { Language } from '#platform/language.ts';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

interface Letter {
  subject: string;
  paragraphs: string[];
  link?: { label: string; url: string };
  closing: string;
}

const escape = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Returns the function that writes mails in a language. */
export const writeIn =
  (language: Language) =>
  ({ subject, paragraphs, link, closing }: Letter): MailText => {
    const text = [...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), closing].join('\n\n');
    const html = [
      ...paragraphs.map((paragraph) => `<p>${escape(paragraph)}</p>`),
      ...(link
        ? [`<p><a href="${escape(link.url)}">${escape(link.label)}</a></p><p style="color:#666;font-size:13px">${escape(link.url)}</p>`]
        : []),
      `<p style="color:#666">${escape(closing)}</p>`,
    ].join('\n');
    return {
      subject,
      text: `${text}\n`,
      html: `<!doctype html><html lang="${language}"><body style="font-family:sans-serif;max-width:36em">${html}</body></html>`,
    };
  };

export const write = writeIn('en');

/** A moment as mails write it, such as "2026-01-16 12:00 UTC". */
export const toMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
