type Params = Readonly<Record<string, string | number>>;

/** The sentence of a reason: `{name}` becomes that parameter, `{name, number}` the same as `locale` writes numbers. */
export const fillIn = (sentence: string, params: Params, locale: string): string =>
  sentence.replaceAll(/\{(\w+)(, number)?\}/g, (_all, name: string, isNumber?: string) =>
    isNumber ? Number(params[name]).toLocaleString(locale) : String(params[name]),
  );

/** The same of a sentence of a language, which may be one that is made of what it names. */
export const say = (sentence: string | ((params: never) => string), params: Params, locale: string): string =>
  typeof sentence === 'string' ? fillIn(sentence, params, locale) : sentence(params as never);
