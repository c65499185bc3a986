// Why the API refuses, in the page's language: made of its codes and what they name, never of its English sentences.
import type { ErrorCode, ReasonCode, Sentences } from '../../../../schema/codes/catalogue.ts';
import { say } from '../../../../schema/codes/sentence.ts';
import { numberLocale } from './language.ts';
import { inLanguage } from './texts.ts';

interface Refusals {
  byCode: Readonly<Record<ErrorCode, string>>;
  byReason: Sentences;
}

/** They come with the first refusal that is to be shown: most pages meet none, and all of them are 5 KB. */
let sentences = $state.raw<Refusals>();
let coming: Promise<void> | undefined;

async function load(): Promise<void> {
  sentences = await inLanguage<Refusals>({ en: () => import('./en/refusals.ts'), de: () => import('./de/refusals.ts') });
}

/** Once they are there; also when they cannot come: then the API's own words stand. For whoever shows a sentence once, as a toast does. */
export const refusalsLoaded = (): Promise<void> => (coming ??= load().catch(() => (coming = undefined)));

function loaded(): Refusals | undefined {
  if (!sentences) void refusalsLoaded();
  return sentences;
}

type Params = Readonly<Record<string, string | number>>;

/** An action that may not be possible, as the API tells of it. */
export interface Refusable {
  reasonCode?: string | null | undefined;
  params?: Params | null | undefined;
}

/** Why not; undefined where there is no reason, or one of a release after this page's, and until the sentences have come. */
export function reasonText(refused: Refusable | null | undefined): string | undefined {
  const { reasonCode, params } = refused ?? {};
  if (!reasonCode) return undefined;
  const byReason = loaded()?.byReason;
  const sentence = byReason && Object.hasOwn(byReason, reasonCode) ? byReason[reasonCode as ReasonCode] : undefined;
  if (sentence === undefined) return undefined;
  return say(sentence, params ?? {}, numberLocale);
}

/** What a code says; undefined for one of a release after this page's. */
export function codeText(code: string): string | undefined {
  const byCode = loaded()?.byCode;
  return byCode && Object.hasOwn(byCode, code) ? byCode[code as ErrorCode] : undefined;
}
