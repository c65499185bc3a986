// Charts of a terminal, with block characters of an eighth of a column each.
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar of so many columns, rounded to an eighth; anything above zero is seen. */
function bar(share: number, columns: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(Math.min(1, share) * columns * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** A line for each value: its label, a bar by the largest one, the value with its unit. */
export function barChart(values: Readonly<Record<string, number>>, unit: string, columns: number): string[] {
  const rows = Object.entries(values).map(([label, value]) => ({ label, value, says: `${round(value)} ${unit}` }));
  const most = Math.max(...rows.map(({ value }) => value), Number.MIN_VALUE);
  const taken = Math.max(...rows.map(({ label, says }) => label.length + says.length)) + 4;
  const room = Math.max(10, columns - taken);
  return rows.map(({ label, value, says }) => [label, bar(value / most, room), says].filter((part) => part !== '').join('  '));
}

/** `█████░░░░░  24.7 %` of what there is. */
export function meter(used: number, total: number, columns: number): string {
  const share = total > 0 ? used / total : 1;
  const full = Math.min(columns, Math.round(share * columns));
  return `${'█'.repeat(full)}${'░'.repeat(columns - full)}  ${(share * 100).toFixed(1)} %`;
}

const round = (value: number): string => (value >= 100 ? value.toFixed(0) : String(Math.round(value * 100) / 100));
