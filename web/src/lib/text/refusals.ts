// Why the API refuses, in the page's language: made of its codes and what they name, never of its English sentences.
import type { ErrorCode, ReasonCode, Sentences } from '../../../../schema/codes.ts';
import { fillIn } from '../../../../schema/codes/sentence.ts';
import { numberLocale } from './language.ts';
import { inLanguage } from './texts.ts';

interface Refusals {
  byCode: Readonly<Record<ErrorCode, string>>;
  byReason: Sentences;
}

const { byCode, byReason } = await inLanguage<Refusals>({ en: () => import('./en/refusals.ts'), de: () => import('./de/refusals.ts') });

type Params = Readonly<Record<string, string | number>>;

/** An action that may not be possible, as the API tells of it. */
export interface Refusable {
  reasonCode?: string | null | undefined;
  params?: Params | null | undefined;
}

/** Why not; undefined where there is no reason, or one of a release after this page's. */
export function reasonText(refused: Refusable | null | undefined): string | undefined {
  const { reasonCode, params } = refused ?? {};
  const sentence = Object.hasOwn(byReason, reasonCode ?? '') ? byReason[reasonCode as ReasonCode] : undefined;
  if (sentence === undefined) return undefined;
  return typeof sentence === 'string' ? fillIn(sentence, params ?? {}, numberLocale) : sentence((params ?? {}) as never);
}

/** What a code says; undefined for one of a release after this page's. */
export const codeText = (code: string): string | undefined => (Object.hasOwn(byCode, code) ? byCode[code as ErrorCode] : undefined);
