/** The sentence of a reason: `{name}` becomes that parameter, `{name, number}` the same with its thousands set apart as `locale` does. */
export const fillIn = (sentence: string, params: Readonly<Record<string, string | number>>, locale: string): string =>
  sentence.replaceAll(/\{(\w+)(, number)?\}/g, (_all, name: string, isNumber?: string) =>
    isNumber ? Number(params[name]).toLocaleString(locale) : String(params[name]),
  );
