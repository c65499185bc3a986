/** The value that `read` had when it last stayed the same for that long; the first one at once. Values are compared by their JSON, so that equal objects change nothing. */
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
