// A plan's lines as files. The text file has only the lines, for programs; the other formats have all data of each address.
import type { StaticLine } from '#lib/ops/static-plan.ts';

const columns = ['ip', 'port', 'username', 'password', 'location', 'label', 'health', 'latencyMs'] as const;

const toRow = ({ ip, port, line, location, label, health, latencyMs }: StaticLine) => {
  const [, , username = '', ...password] = line.split(':');
  return { ip, port, username, password: password.join(':'), location, label, health, latencyMs };
};

/** RFC 4180. A cell that a spreadsheet would interpret as a formula is prefixed with an apostrophe. */
function cell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const toCsv = (lines: readonly StaticLine[]): string =>
  `${[columns.join(','), ...lines.map(toRow).map((row) => columns.map((name) => cell(row[name])).join(','))].join('\r\n')}\r\n`;

export const toJson = (lines: readonly StaticLine[]): string => `${JSON.stringify(lines.map(toRow), undefined, 2)}\n`;
