/** The value once it has rested for so long; at first at once. Compared by its JSON, so that equal objects do not ask twice. */
export function debounced<Value>(read: () => Value, milliseconds: number): { readonly value: Value } {
  const first = read();
  let rested = $state.raw(first);
  let text = JSON.stringify(first);
  $effect(() => {
    const next = read();
    const nextText = JSON.stringify(next);
    if (nextText === text) return;
    const timer = setTimeout(() => {
      text = nextText;
      rested = next;
    }, milliseconds);
    return () => clearTimeout(timer);
  });
  return {
    get value() {
      return rested;
    },
  };
}
