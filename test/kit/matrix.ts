/** A lifecycle as a text table: a row for each event, a column for each state; a cell is the state after the event, or a dot if it does not apply. */
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
