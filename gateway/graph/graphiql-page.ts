// Splits the GraphiQL page of its package, which has 9 MB, into a small page and files that a browser may cache for ever.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';
import { fail } from '#platform/errors.ts';
import { type CachedAnswer, cachedAnswer, sendCached } from '#platform/respond.ts';

/** The path under which the files are served. */
const FILES = '/graphql/files/';
/** Characters; a shorter style stays in the page. */
const FILE_FROM = 4_096;

const POLICY = [
  "default-src 'none'",
  "script-src 'self' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self' ws: wss:",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The query that GraphiQL shows first, for holders of an API key; the key goes into the pane for headers. */
const FIRST_QUERY = `# Put your API key into the pane "Headers" below.
{
  residentialPlans {
    id
    username
  }
}
`;
const FIRST_HEADERS = '{ "Authorization": "Bearer <API_KEY>" }';

export class GraphiqlPage {
  readonly #page: CachedAnswer;
  readonly #files = new Map<string, CachedAnswer>();

  constructor(endpoint: string) {
    const whole = renderGraphiQL({
      title: 'GraphiQL',
      endpoint,
      subscriptionsProtocol: 'WS',
      defaultQuery: FIRST_QUERY,
      headers: FIRST_HEADERS,
    });
    const html = whole
      .replace(/<link rel="icon"[^>]*>/, '<link rel="icon" href="/favicon.svg" />')
      .replace(/<(script|style)>([\s\S]*?)<\/\1>/g, (element, tag: string, text: string) => {
        // Scripts always become files, however short: the policy allows no inline script.
        if (tag === 'style' && text.length < FILE_FROM) return element;
        return tag === 'style'
          ? `<link rel="stylesheet" href="${this.#addFile(text, 'css', 'text/css; charset=utf-8')}" />`
          : `<script src="${this.#addFile(text, 'js', 'text/javascript; charset=utf-8')}"></script>`;
      });
    this.#page = cachedAnswer(html, 'text/html; charset=utf-8', { 'Cache-Control': 'no-cache', 'Content-Security-Policy': POLICY });
  }

  static isFile(pathname: string): boolean {
    return pathname.startsWith(FILES);
  }

  send(request: IncomingMessage, response: ServerResponse): Promise<void> {
    return sendCached(request, response, this.#page);
  }

  /** Throws `route_not_found`. */
  sendFile(pathname: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = this.#files.get(pathname);
    if (!file) throw fail('route_not_found');
    return sendCached(request, response, file);
  }

  #addFile(text: string, ending: string, type: string): string {
    const file = cachedAnswer(text, type, { 'Cache-Control': 'public, max-age=31536000, immutable' });
    const path = `${FILES}${file.etag.slice(1, -1)}.${ending}`;
    this.#files.set(path, file);
    return path;
  }
}
