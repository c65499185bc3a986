// What a browser shows: the subject of the mail and its first paragraph, which hold no secret, and the page that a click opens.
import { hash } from 'node:crypto';
import type { Language } from '#platform/language.ts';
import { PUSH } from '../../../../schema/limits.ts';
import type { MailText } from '../../mail/domain/mail-text.ts';

export interface PushNotice {
  title: string;
  body: string;
  /** An absolute address of this platform. */
  navigate: string;
  lang: Language;
  /** A newer notification with this tag takes the place of the one that is shown. */
  tag: string;
}

/** Where a click leads that is about no page. */
const HOME = '/home';
const PARAGRAPH = '\n\n';
const MAX_URL_LENGTH = 500;
/** RFC 8030, 5.4: at most 32 letters of base64url. */
const TOPIC_LETTERS = 32;

/** `data`: that of the mail. Another platform's address, and one that is too long to send, are replaced by the home page. */
export function noticeOf(
  { subject, text }: Pick<MailText, 'subject' | 'text'>,
  { data, publicUrl, lang, tag }: { data: object; publicUrl: string; lang: Language; tag: string },
): PushNotice {
  const [paragraph = ''] = text.split(PARAGRAPH);
  return {
    title: cut(subject, PUSH.titleLetters),
    body: cut(paragraph.trim(), PUSH.bodyLetters),
    navigate: pageOf('url' in data ? data.url : undefined, publicUrl),
    lang,
    tag,
  };
}

function pageOf(url: unknown, publicUrl: string): string {
  const home = new URL(HOME, publicUrl).href;
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH || !URL.canParse(url)) return home;
  return new URL(url).origin === new URL(publicUrl).origin ? url : home;
}

/** At most `max` letters; what is cut ends with a dot of three. */
export function cut(text: string, max: number): string {
  const letters = [...text];
  return letters.length <= max
    ? text
    : `${letters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}

/** Messages of one kind about one thing have the same topic: a newer one replaces an older one that has not been shown. */
export function pushTopicOf(kind: string, data: object): string {
  const { url, title, hostname } = data as { url?: unknown; title?: unknown; hostname?: unknown };
  return hash('sha256', JSON.stringify([kind, url, title, hostname]), 'base64url').slice(0, TOPIC_LETTERS);
}

/** How a notice is written for a push service that takes no longer one: as it is, shortened, its title alone. */
export const SHORTER: readonly ((notice: PushNotice) => PushNotice)[] = [
  (notice) => notice,
  (notice) => ({ ...notice, body: cut(notice.body, 100) }),
  (notice) => ({ ...notice, title: cut(notice.title, 60), body: '' }),
];

/** The form of declarative web push, which some browsers show without a service worker (https://www.w3.org/TR/push-api/#declarative-push-message). */
export const payloadOf = (notice: PushNotice): string => JSON.stringify({ web_push: 8030, notification: notice });
