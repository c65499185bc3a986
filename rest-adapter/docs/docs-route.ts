// The documents for developers: readable without signing in and without scripts, as HTML, as Markdown, and as one text for assistants.
import { createHash } from 'node:crypto';
import { type ErrorCode, fail, isErrorCode } from '#platform/errors.ts';
import { escapeHtml } from '#platform/markup.ts';
import { type CachedAnswer, cachedAnswer, requireMethod, sendCached } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import type { AnyEndpoint } from '../endpoint.ts';
import { PUBLIC_CODES, errorPage, errorsPage } from './error-pages.ts';
import { graphqlPage } from './graphql-page.ts';
import { type DocsPage, blockToHtml, toMarkdown } from './page.ts';
import { apiPage, endpointPage, limitsPage } from './reference-pages.ts';
import { webhooksPage } from './webhooks-page.ts';

export interface DocsOptions {
  endpoints: readonly AnyEndpoint[];
  brand: string;
  publicUrl: string;
}

/** `/docs` itself is a page of the dashboard. */
const PATHS = /^\/(docs\/(api|errors|graphql|limits|webhooks)(\/\w+)?(\.md)?|llms(-full)?\.txt)$/;

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem}
nav a{margin-right:1rem}pre{overflow-x:auto;padding:1rem;border:1px solid #8886;border-radius:.5rem;font-size:.875rem}.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4rem .8rem .4rem 0;border-bottom:1px solid #8884;vertical-align:top}
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}a{color:LinkText}`;
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const MARKDOWN = 'text/markdown; charset=utf-8';

export function createDocsRoute(options: DocsOptions): Route {
  const pages = new Map(mainPages(options).map((page) => [page.path, page]));
  const answers = new Map<string, CachedAnswer>();

  /** Pages of error codes are made at their first request. */
  function pageAt(path: string): DocsPage | undefined {
    const [, name = ''] = /^\/docs\/errors\/(\w+)$/.exec(path) ?? [];
    return isErrorCode(name) && PUBLIC_CODES.includes(name) ? errorPage(name, options.endpoints) : pages.get(path);
  }

  function answerAt(pathname: string): CachedAnswer {
    if (pathname === '/llms.txt') return toAnswer(overview(options, [...pages.values()]), MARKDOWN);
    if (pathname === '/llms-full.txt') return toAnswer(everything(options, [...pages.values()]), MARKDOWN);
    const page = pageAt(pathname.replace(/\.md$/, ''));
    if (!page) throw fail('route_not_found');
    return pathname.endsWith('.md') ? toAnswer(toMarkdown(page), MARKDOWN) : toAnswer(toHtml(page, options), 'text/html; charset=utf-8');
  }

  return {
    name: 'docs',
    matches: (pathname) => PATHS.test(pathname),
    async handle(request, response, { url: { pathname } }) {
      requireMethod(request, response, 'GET', 'HEAD');
      let answer = answers.get(pathname);
      if (!answer) answers.set(pathname, (answer = answerAt(pathname)));
      await sendCached(request, response, answer);
    },
  };
}

const mainPages = ({ endpoints, publicUrl }: DocsOptions): DocsPage[] => [
  apiPage(endpoints, publicUrl),
  ...endpoints.map((endpoint) => endpointPage(endpoint, publicUrl)),
  graphqlPage(publicUrl),
  webhooksPage(publicUrl),
  limitsPage(),
  errorsPage(),
];

const toAnswer = (text: string, type: string): CachedAnswer =>
  cachedAnswer(text, type, { 'Cache-Control': 'public, max-age=300', 'Content-Security-Policy': POLICY });

function toHtml({ path, title, summary, blocks }: DocsPage, { brand }: DocsOptions): string {
  const links = [
    ['/', brand],
    ['/docs', 'Documents'],
    ['/docs/api', 'Reference'],
    ['/docs/webhooks', 'Webhooks'],
    ['/docs/graphql', 'GraphQL'],
    ['/docs/limits', 'Limits'],
    ['/docs/errors', 'Errors'],
    [`${path}.md`, 'Markdown'],
  ].map(([href = '', text = '']) => `<a href="${href}">${escapeHtml(text)}</a>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} - ${escapeHtml(brand)}</title><link rel="icon" href="/favicon.svg"><link rel="alternate" type="text/markdown" href="${path}.md">
<style>${STYLE}</style></head>
<body><nav>${links.join(' ')}</nav><main><h1>${escapeHtml(title)}</h1>${blockToHtml({ kind: 'paragraph', text: summary })}
${blocks.map(blockToHtml).join('\n')}</main></body></html>
`;
}

/** https://llmstxt.org: a title, a summary, lists of links. */
function overview({ brand, publicUrl }: DocsOptions, pages: readonly DocsPage[]): string {
  const links = pages.map(({ path, title, summary }) => `- [${title}](${publicUrl}${path}.md): ${summary}`);
  return `# ${brand} API

> Residential, ISP and datacenter proxies of one account: REST at ${publicUrl}/v1, tools for assistants at ${publicUrl}/mcp, OpenAPI at ${publicUrl}/openapi.json.

## Documents

${links.join('\n')}

## Optional

- [All of it in one](${publicUrl}/llms-full.txt)
`;
}

const everything = ({ endpoints }: DocsOptions, pages: readonly DocsPage[]): string =>
  [...pages, ...PUBLIC_CODES.map((name: ErrorCode) => errorPage(name, endpoints))].map(toMarkdown).join('\n---\n\n');
