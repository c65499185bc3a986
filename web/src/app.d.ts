import type { Installation } from '#lib/installation.ts';

declare global {
  namespace App {}
  /** The language of a page that is drawn outside a browser. */
  var pageLanguage: string | undefined;
  /** What it is drawn with. */
  var installation: Installation | undefined;
}

export {};
