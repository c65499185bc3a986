// A received mail: its contents, and the links in it.
import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';

export interface MailMessage {
  id: string;
  /** An instant, ISO 8601. */
  receivedAt: string;
  from: string;
  /** The recipients of the envelope in lower case, not those of the headers. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** Every http(s) URL in text and HTML, once, in order. */
  links: string[];
  /** Its attachments; missing in mails of earlier runs. */
  attachments?: { name: string; type: string; bytes: number }[];
  /** The message as it was received. */
  raw: string;
}

/** Reads `raw`, delivered at `receivedAt` to `recipients`. */
export async function readMessage(raw: Buffer, recipients: string[], receivedAt: Date): Promise<MailMessage> {
  const mail = await PostalMime.parse(raw);
  const text = mail.text ?? '';
  const html = mail.html ?? '';
  return {
    id: randomUUID(),
    receivedAt: receivedAt.toISOString(),
    from: mail.from?.address ?? '',
    to: recipients.map((address) => address.toLowerCase()),
    subject: mail.subject ?? '',
    text,
    html,
    links: [...new Set([...linksOfHtml(html), ...linksOfText(text)])],
    attachments: mail.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? 'file',
      type: mimeType,
      bytes: Buffer.from(content as ArrayBuffer).length,
    })),
    raw: raw.toString('utf8'),
  };
}

const linksOfText = (text: string): string[] =>
  (text.match(/https?:\/\/[^\s<>"')\]]+/g) ?? []).map((link) => link.replace(/[.,;:!?]+$/, ''));

/** By name or by number, as every mail program reads it. */
const AMPERSAND = /&(?:amp|#38|#x26);/gi;

const linksOfHtml = (html: string): string[] =>
  [...html.matchAll(/<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)]
    .map((match) => (match[1] ?? match[2] ?? '').replaceAll(AMPERSAND, '&').trim())
    .filter((link) => /^https?:\/\//i.test(link));

/** The content of an attachment, by its index; undefined when it does not exist. */
export async function attachmentOf({ raw }: MailMessage, index: number): Promise<Buffer | undefined> {
  const content = (await PostalMime.parse(raw)).attachments[index]?.content;
  return content === undefined ? undefined : Buffer.from(content as ArrayBuffer);
}
