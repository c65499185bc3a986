// The documents: readable without signing in and without scripts, as HTML, as Markdown, and as one text for assistants.
import type { ServerResponse } from 'node:http';
import { fail } from '#platform/errors.ts';
import { LANGUAGE_CODES, type Language, languageOf } from '#platform/language.ts';
import { type CachedAnswer, cachedAnswer, requireMethod, sendCached, sendText } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import { SITEMAP_TYPE, sitemapOf } from '../../gateway/pages/sitemap.ts';
import { languageCookie } from '../../schema/languages.ts';
import { type Search, searchIn } from './docs-search.ts';
import { type DocsPage, toMarkdown } from './page.ts';
import { SEARCH_PATH, createShell } from './shell.ts';
import { type DocsOptions, readersPages, referencePages } from './site.ts';
import { TRIAL_SCRIPT, TRIAL_SCRIPT_PATH } from './trial.ts';

const PATHS = /^\/(docs(\/.*|\.md)?|llms(-full)?\.txt)$/;
const SITEMAP_PATH = '/docs/sitemap.xml';

const MARKDOWN = 'text/markdown; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const FRESH = { 'Cache-Control': 'public, max-age=300' };
/** The language of a page is the reader's. */
const BY_READER = { 'Cache-Control': 'private, max-age=300', Vary: 'Accept-Language, Cookie' };

interface Edition {
  pages: ReadonlyMap<string, DocsPage>;
  /** Made at the first search. */
  search?: Search;
}

export function createDocsRoute(options: DocsOptions): Route {
  const shell = createShell(options);
  const editions = new Map<Language, Edition>();
  const answers = new Map<string, CachedAnswer>();

  let reference: readonly DocsPage[] | undefined;

  /** Made at the first request: nobody reads all of them at every start. */
  function editionIn(language: Language): Edition {
    let edition = editions.get(language);
    if (!edition) {
      const pages = [...readersPages(options, language), ...(reference ??= referencePages(options))];
      edition = { pages: new Map(pages.map((page) => [page.path, page])) };
      editions.set(language, edition);
    }
    return edition;
  }

  function searchOf(edition: Edition): Search {
    return (edition.search ??= searchIn([...edition.pages.values()]));
  }

  function answerAt(pathname: string, language: Language): CachedAnswer {
    const english = () => [...editionIn('en').pages.values()];
    if (pathname === '/llms.txt') return cachedAnswer(overview(options, english()), MARKDOWN, FRESH);
    if (pathname === '/llms-full.txt') return cachedAnswer(english().map(toMarkdown).join('\n---\n\n'), MARKDOWN, FRESH);
    if (pathname === SITEMAP_PATH)
      return cachedAnswer(
        sitemapOf(
          options.publicUrl,
          english().map(({ path }) => path),
        ),
        SITEMAP_TYPE,
        FRESH,
      );
    if (pathname === TRIAL_SCRIPT_PATH) return cachedAnswer(TRIAL_SCRIPT, 'text/javascript; charset=utf-8', FRESH);
    const isMarkdown = pathname.endsWith('.md');
    const page = editionIn(isMarkdown ? 'en' : language).pages.get(pathname.replace(/\.md$/, ''));
    if (!page) throw fail('route_not_found');
    return isMarkdown
      ? cachedAnswer(toMarkdown(page), MARKDOWN, FRESH)
      : cachedAnswer(shell.page(page, language), HTML, { ...BY_READER, 'Content-Security-Policy': shell.policy });
  }

  return {
    name: 'docs',
    matches: (pathname) => PATHS.test(pathname),
    async handle(request, response, { url: { pathname, searchParams } }) {
      requireMethod(request, response, 'GET', 'HEAD');
      const chosen = LANGUAGE_CODES.find((code) => code === searchParams.get('lang'));
      if (chosen) return chooseLanguage(response, pathname, chosen);
      const language = languageOf(request.headers) ?? 'en';
      if (pathname === SEARCH_PATH) {
        const wanted = searchParams.get('q') ?? '';
        const found = shell.results(wanted, searchOf(editionIn(language))(wanted), language);
        const headers = { 'Content-Type': HTML, 'Cache-Control': 'no-store', 'Content-Security-Policy': shell.policy };
        return sendText(response, 200, request.method === 'HEAD' ? '' : found, headers);
      }
      const kept = `${language} ${pathname}`;
      let answer = answers.get(kept);
      if (!answer) answers.set(kept, (answer = answerAt(pathname, language)));
      await sendCached(request, response, answer);
    },
  };
}

/** Back to the page itself, with the cookie that the dashboard reads too. */
function chooseLanguage(response: ServerResponse, pathname: string, language: Language): void {
  response
    .writeHead(303, { Location: pathname, 'Set-Cookie': languageCookie(language), 'Cache-Control': 'no-store', 'Content-Length': 0 })
    .end();
}

/** https://llmstxt.org: a title, a summary, lists of links. */
function overview({ brand, publicUrl }: DocsOptions, pages: readonly DocsPage[]): string {
  const links = pages
    .filter(({ path }) => !path.startsWith('/docs/errors/'))
    .map(({ path, title, summary }) => `- [${title}](${publicUrl}${path}.md): ${summary}`);
  return `# ${brand} API

> Residential, ISP and datacenter proxies, virtual and dedicated servers of one account: REST at ${publicUrl}/v1, tools for assistants at ${publicUrl}/mcp, OpenAPI at ${publicUrl}/openapi.json.

## Documents

${links.join('\n')}

## Optional

- [All of it in one](${publicUrl}/llms-full.txt)
`;
}
