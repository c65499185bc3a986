// What stands around each page: the way to the others, the search, the language.
import { createHash } from 'node:crypto';
import type { Language } from '#platform/language.ts';
import { escapeHtml } from '#platform/markup.ts';
import { LANGUAGES } from '../../schema/languages.ts';
import { type Hit, wordsOf } from './docs-search.ts';
import { type DocsPage, blockToHtml, inline } from './page.ts';
import { styleOf } from './style.ts';
import { type ShellText, TEXTS } from './text/index.ts';
import { TRIAL_SCRIPT_PATH } from './trial.ts';

const GROUPS = {
  products: ['/docs/residential', '/docs/static', '/docs/vps', '/docs/dedicated', '/docs/proxies'],
  api: ['/docs/api', '/docs/graphql', '/docs/assistants', '/docs/webhooks', '/docs/clients'],
  help: ['/docs/limits', '/docs/errors', '/docs/changes'],
} as const satisfies Record<keyof ShellText['groups'], readonly (keyof ShellText['links'])[]>;

export interface Shell {
  /** Content-Security-Policy of its pages. */
  policy: string;
  page(page: DocsPage, language: Language): string;
  results(wanted: string, hits: readonly Hit[], language: Language): string;
}

export interface ShellOptions {
  brand: string;
  publicUrl: string;
  colours: string;
}

/** So many results are shown. */
const SHOWN = 20;

export function createShell({ brand, publicUrl, colours }: ShellOptions): Shell {
  const style = styleOf(colours);
  const hash = createHash('sha256').update(style).digest('base64');

  const frame = (path: string, title: string, head: string, main: string, language: Language, wanted = '') => {
    const { shell } = TEXTS[language];
    return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · ${escapeHtml(brand)}</title><link rel="icon" href="/favicon.svg">${head}
<script src="/theme.js"></script><style>${style}</style></head>
<body><a class="skip" href="#main">${shell.skip}</a>
<header><a href="/">${escapeHtml(brand)}</a>${searchForm(shell, wanted)}<nav aria-label="${escapeHtml(brand)}"><a class="to-pages" href="#pages">${shell.contents}</a><a href="/status">${shell.status}</a><a href="/home">${shell.dashboard}</a></nav></header>
<div class="page">${sideOf(shell, path)}<main id="main" tabindex="-1">${main}</main></div>
<footer>${path === SEARCH_PATH ? '' : `<a href="${path}.md">${shell.asMarkdown}</a>`}<a href="/openapi.json">openapi.json</a><a href="/llms.txt">llms.txt</a>${languageForm(path, language)}</footer>
</body></html>
`;
  };

  return {
    policy: `default-src 'none'; style-src 'sha256-${hash}'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    page(page, language) {
      const { shell } = TEXTS[language];
      const foreign = (page.language ?? 'en') !== language;
      const address = escapeHtml(new URL(page.path, publicUrl).href);
      const summary = escapeHtml(page.summary.replaceAll('`', ''));
      const trial = page.blocks.some(({ kind }) => kind === 'trial') ? `<script src="${TRIAL_SCRIPT_PATH}" defer></script>` : '';
      const head = `<meta name="description" content="${summary}"><link rel="canonical" href="${address}"><link rel="alternate" type="text/markdown" href="${page.path}.md">
<meta property="og:type" content="article"><meta property="og:site_name" content="${escapeHtml(brand)}"><meta property="og:url" content="${address}"><meta property="og:title" content="${escapeHtml(page.title)}"><meta property="og:description" content="${summary}">${trial}`;
      const main = `<div${foreign ? ' lang="en"' : ''}><h1>${escapeHtml(page.title)}</h1><p class="lead">${inline(page.summary)}</p>
${page.blocks.map(blockToHtml).join('\n')}</div>`;
      return frame(page.path, page.title, head, foreign ? `<p class="note">${shell.english}</p>${main}` : main, language);
    },
    results(wanted, hits, language) {
      const { shell } = TEXTS[language];
      const asked = wordsOf(wanted).join(' ');
      const told = asked === '' ? shell.nothingAsked : shell.found(hits.length, asked);
      const shown = hits
        .slice(0, SHOWN)
        .map(
          ({ page, excerpt }) =>
            `<div class="hit"${(page.language ?? 'en') === language ? '' : ' lang="en"'}><a href="${page.path}">${escapeHtml(page.title)}</a><p>${inline(page.summary)}</p><p>${escapeHtml(excerpt)}</p></div>`,
        );
      const more = hits.length > SHOWN ? `<p class="note">${shell.more(hits.length - SHOWN)}</p>` : '';
      const main = `<h1>${shell.find}</h1><p class="lead">${escapeHtml(told)}</p>${shown.join('')}${more}`;
      return frame(SEARCH_PATH, shell.find, '<meta name="robots" content="noindex">', main, language, asked);
    },
  };
}

export const SEARCH_PATH = '/docs/search';

const searchForm = ({ search, find }: ShellText, wanted: string): string =>
  `<form role="search" action="${SEARCH_PATH}"><input type="search" name="q" aria-label="${search}" placeholder="${search}" value="${escapeHtml(wanted)}"><button class="plain">${find}</button></form>`;

function sideOf(shell: ShellText, path: string): string {
  const link = (href: string, text: string) => {
    const here = path === href || (href !== '/docs' && path.startsWith(`${href}/`));
    return `<li><a href="${href}"${here ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a></li>`;
  };
  const groups = Object.entries(GROUPS).map(
    ([name, paths]) =>
      `<h2>${shell.groups[name as keyof typeof GROUPS]}</h2><ul>${paths.map((href) => link(href, shell.links[href])).join('')}</ul>`,
  );
  return `<nav id="pages" class="side" aria-label="${shell.contents}"><ul>${link('/docs', shell.documentation)}</ul>${groups.join('')}</nav>`;
}

/** A choice of language works without a script: the answer sets the cookie that the dashboard reads too. */
const languageForm = (path: string, language: Language): string =>
  `<form action="${path}">${Object.entries(LANGUAGES)
    .map(([code, name]) => `<button class="plain" name="lang" value="${code}"${code === language ? ' disabled' : ''}>${name}</button>`)
    .join('')}</form>`;
