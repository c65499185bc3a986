// A plan's lines as files. The text file has only the lines, for programs; the other formats have all data of each address.
import type { StaticLine } from '#lib/ops/static-plan.ts';
import type { Scheme } from '#lib/residential/lines.ts';

/** The line of the API for a scheme: HTTPS proxies have a port of their own, and may have a name. */
export const lineOf = ({ line, httpsLine }: StaticLine, scheme: Scheme): string => (scheme === 'https' ? (httpsLine ?? line) : line);

const columns = ['ip', 'port', 'username', 'password', 'location', 'label', 'health', 'latencyMs', 'host'] as const;

const toRow = (line: StaticLine, scheme: Scheme) => {
  const { ip, location, label, health, latencyMs } = line;
  const [host = '', port, username = '', ...password] = lineOf(line, scheme).split(':');
  return { ip, port: Number(port), username, password: password.join(':'), location, label, health, latencyMs, host };
};

/** RFC 4180. A cell that a spreadsheet would interpret as a formula is prefixed with an apostrophe. */
function cell(value: string | number | null): string {
  const text = String(value ?? '');
  const safe = /^[=+@\t\r-]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const toRows = (lines: readonly StaticLine[], scheme: Scheme) => lines.map((line) => toRow(line, scheme));

export const toCsv = (lines: readonly StaticLine[], scheme: Scheme): string =>
  `${[columns.join(','), ...toRows(lines, scheme).map((row) => columns.map((name) => cell(row[name])).join(','))].join('\r\n')}\r\n`;

export const toJson = (lines: readonly StaticLine[], scheme: Scheme): string => `${JSON.stringify(toRows(lines, scheme), undefined, 2)}\n`;
