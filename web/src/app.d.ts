import type { Installation } from '#lib/installation.ts';

declare global {
  namespace App {}
  /** Set by the gateway when it draws a page outside of a browser: the page's language. */
  var pageLanguage: string | undefined;
  /** The same for the data that the gateway puts into the page. */
  var installation: Installation | undefined;
}

export {};
