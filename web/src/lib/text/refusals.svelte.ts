// The sentences for refusals in the page's language, made from the API's codes and parameters, never from its English sentences.
import type { ErrorCode, ReasonCode, Sentences } from '../../../../schema/codes/catalogue.ts';
import { say } from '../../../../schema/codes/sentence.ts';
import { numberLocale } from './language.ts';
import { inLanguage } from './texts.ts';

interface Refusals {
  byCode: Readonly<Record<ErrorCode, string>>;
  byReason: Sentences;
}

/** Loaded with the first refusal that is shown: most pages show none, and all sentences together are 5 KB. */
let sentences = $state.raw<Refusals>();
let coming: Promise<void> | undefined;

async function load(): Promise<void> {
  sentences = await inLanguage<Refusals>({ en: () => import('./en/refusals.ts'), de: () => import('./de/refusals.ts') });
}

/** Resolves when the sentences are loaded, or when that has failed and the API's own messages are used. For callers that show a message once, such as a toast. */
export const refusalsLoaded = (): Promise<void> => (coming ??= load().catch(() => (coming = undefined)));

function loaded(): Refusals | undefined {
  if (!sentences) void refusalsLoaded();
  return sentences;
}

type Params = Readonly<Record<string, string | number>>;

/** An amount as the API writes it in a sentence, such as "500.00 USD". */
const AMOUNT = /^(\d+\.\d{2}) ([A-Z]{3})$/;

/** The same parameters, with amounts written as everywhere on the page. */
const inPageMoney = (params: Params): Params =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const [, amount, currency] = AMOUNT.exec(String(value)) ?? [];
      return [name, currency ? new Intl.NumberFormat(numberLocale, { style: 'currency', currency }).format(Number(amount)) : value];
    }),
  );

/** An action that may be impossible, with the API's reason. */
export interface Refusable {
  reasonCode?: string | null | undefined;
  params?: Params | null | undefined;
}

/** The sentence for a reason. Undefined when there is no reason, when the reason is newer than this page, and until the sentences are loaded. */
export function reasonText(refused: Refusable | null | undefined): string | undefined {
  const { reasonCode, params } = refused ?? {};
  if (!reasonCode) return undefined;
  const byReason = loaded()?.byReason;
  const sentence = byReason && Object.hasOwn(byReason, reasonCode) ? byReason[reasonCode as ReasonCode] : undefined;
  if (sentence === undefined) return undefined;
  return say(sentence, inPageMoney(params ?? {}), numberLocale);
}

/** The sentence for a code; undefined when the code is newer than this page, and until the sentences are loaded. */
export function codeText(code: string): string | undefined {
  const byCode = loaded()?.byCode;
  return byCode && Object.hasOwn(byCode, code) ? byCode[code as ErrorCode] : undefined;
}
