/** A saved value that is being edited: the saved one until it is changed. What is changed while a saving runs stays changed. */
export class Draft<Value> {
  readonly #saved: () => Value;
  #changed = $state.raw<{ value: Value }>();
  #sent: { value: Value } | undefined;

  constructor(saved: () => Value) {
    this.#saved = saved;
  }

  get value(): Value {
    return this.#changed ? this.#changed.value : this.#saved();
  }
  set value(value: Value) {
    this.#changed = { value };
  }

  get isChanged(): boolean {
    return this.#changed !== undefined;
  }

  /** The value that is sent to be saved now. */
  send(): Value {
    this.#sent = this.#changed;
    return this.value;
  }

  /** What was sent is saved. */
  settle(): void {
    if (this.#changed === this.#sent) this.#changed = undefined;
  }
}
