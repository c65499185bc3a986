// All pages of the documents, in the order in which a reader meets them, by language.
import type { Language } from '#platform/language.ts';
import type { ProxyRules } from '../../schema/proxy-rules.ts';
import type { AnyEndpoint } from '../endpoint.ts';
import { assistantsPage } from './assistants-page.ts';
import { changesPage } from './changes-page.ts';
import { clientsPage } from './clients-page.ts';
import { PUBLIC_CODES, errorPage, errorsPage } from './error-pages.ts';
import { graphqlPage } from './graphql-page.ts';
import type { DocsPage } from './page.ts';
import { proxiesPage } from './proxies-page.ts';
import { apiPage, endpointPage, limitsPage } from './reference-pages.ts';
import { guidePages, startPage } from './start-page.ts';
import { webhooksPage } from './webhooks-page.ts';

export interface DocsOptions {
  endpoints: readonly AnyEndpoint[];
  brand: string;
  publicUrl: string;
  /** What this installation's proxy nodes go by. */
  proxyRules: ProxyRules;
  /** Style rules for the operator's accent; empty: the built-in one. */
  colours: string;
}

/** The pages that exist in every language. */
export const readersPages = ({ publicUrl, proxyRules }: DocsOptions, language: Language): DocsPage[] => [
  startPage(publicUrl, language),
  ...guidePages(language),
  proxiesPage(proxyRules, language),
];

/** The pages that are in English alone. */
export const referencePages = ({ endpoints, publicUrl }: DocsOptions): DocsPage[] => [
  apiPage(endpoints, publicUrl),
  ...endpoints.map((endpoint) => endpointPage(endpoint, publicUrl)),
  graphqlPage(publicUrl),
  assistantsPage(publicUrl),
  webhooksPage(publicUrl),
  clientsPage(publicUrl),
  limitsPage(),
  errorsPage(),
  changesPage(),
  ...PUBLIC_CODES.map((name) => errorPage(name, endpoints)),
];
