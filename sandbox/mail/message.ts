// A received mail: what was in it, and the links a reader could follow.
import { randomUUID } from 'node:crypto';
import PostalMime from 'postal-mime';

export interface MailMessage {
  id: string;
  /** An instant, ISO 8601. */
  receivedAt: string;
  from: string;
  /** The addresses it was delivered to, lower case: those of the envelope, not those the headers claim. */
  to: string[];
  subject: string;
  text: string;
  html: string;
  /** Every http(s) address of both parts, once, in order. */
  links: string[];
  /** What came with it; a mail of an earlier run has none. */
  attachments?: { name: string; type: string; bytes: number }[];
  /** The message as it came over the wire. */
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

const linksOfHtml = (html: string): string[] =>
  [...html.matchAll(/<a\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)]
    .map((match) => (match[1] ?? match[2] ?? '').replaceAll('&amp;', '&').trim())
    .filter((link) => /^https?:\/\//i.test(link));

/** The content of an attachment, by its place; undefined: there is none. */
export async function attachmentOf({ raw }: MailMessage, index: number): Promise<Buffer | undefined> {
  const content = (await PostalMime.parse(raw)).attachments[index]?.content;
  return content === undefined ? undefined : Buffer.from(content as ArrayBuffer);
}
