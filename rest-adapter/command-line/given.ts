// The words of a command line, read as what a command needs of them.

/** The command line is not one that can be followed. Exit code 2. */
export class WrongUse extends Error {}

/** The operands and options of a command line, by name. */
export class Given {
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;

  constructor(values: Readonly<Record<string, string | boolean | undefined>>) {
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined && this.#values[name] !== false;
  }

  text(name: string): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** Throws WrongUse without it. */
  needed(name: string): string {
    const value = this.text(name);
    if (value === undefined || value === '') throw new WrongUse(`${name} is missing.`);
    return value;
  }

  /** An operand that is a whole number. Throws WrongUse without it, and for any other text. */
  count(name: string): number {
    const text = this.needed(name);
    if (!/^\d+$/.test(text)) throw new WrongUse(`${name} is a whole number, not ${text}.`);
    return Number(text);
  }

  /** Throws WrongUse for text that is no number. */
  number(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d+(\.\d+)?$/.test(value)) throw new WrongUse(`--${name} takes a number, not ${value}.`);
    return Number(value);
  }

  /** One of a few words. Throws WrongUse for any other. */
  oneOf<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.text(name);
    const found = words.find((word) => word === value);
    if (value !== undefined && found === undefined) throw new WrongUse(`--${name} takes ${words.join(', ')}, not ${value}.`);
    return found;
  }

  /** `a, b` as two; empty text is none. */
  list(name: string): string[] | undefined {
    return this.text(name)
      ?.split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  }
}
