/** A lifecycle as text: events down, states across, the state after it or a dot. */
export function matrixOf<State extends string, Event extends string>(
  states: readonly State[],
  events: readonly Event[],
  cell: (state: State, event: Event) => string | undefined,
): string {
  const rows = [['', ...states], ...events.map((event) => [event, ...states.map((state) => cell(state, event) ?? '.')])];
  const widths = ['', ...states].map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)) + (column === 0 ? 3 : 2));
  return `\n${rows
    .map((row) =>
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('')
        .trimEnd(),
    )
    .join('\n')}\n`;
}
