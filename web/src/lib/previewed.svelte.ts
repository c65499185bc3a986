// What a form asks to see before it is done: shown as it was asked for, and no longer once the form was changed.

export class Previewed<Asked> {
  readonly #asked: () => Asked;
  #shown = $state.raw<Asked>();

  /** `asked`: what the form holds now. */
  constructor(asked: () => Asked) {
    this.#asked = asked;
  }

  /** What is to be previewed; undefined: nothing, or it is outdated. */
  get value(): Asked | undefined {
    return this.#shown !== undefined && JSON.stringify(this.#shown) === JSON.stringify(this.#asked()) ? this.#shown : undefined;
  }

  show(asked: Asked = this.#asked()): void {
    this.#shown = asked;
  }

  hide(): void {
    this.#shown = undefined;
  }
}
