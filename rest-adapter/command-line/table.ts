// Rows under headings, and values as people read them.

/** Text without what a terminal would take as an order. */
export const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ');

/** Lines with columns of equal width; numbers stand to the right. `nothing` is said when there are no rows. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number | null)[])[], nothing: string): string[] {
  if (rows.length === 0) return [nothing];
  const cells = rows.map((row) => row.map((cell) => plain(cell === null ? '-' : String(cell))));
  const widths = headings.map((heading, column) => Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)));
  const isNumber = headings.map((_heading, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(headings), ...cells.map(line)];
}

/** One thing: a line for each of its members. */
export function card(members: object): string[] {
  const shown = Object.entries(members).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(', ') || '-' : String(value ?? '-'),
  ]);
  const width = Math.max(...shown.map(([name = '']) => name.length));
  return shown.map(([name = '', value = '']) => `${name.padEnd(width)}  ${plain(value)}`);
}
