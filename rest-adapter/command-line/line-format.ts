// Formats of proxy lines. The API's own is host:port:username:password; the others arrange the same parts, as the dashboard does.
export type Scheme = 'http' | 'socks5' | 'https';

interface Parts {
  scheme: Scheme;
  host: string;
  port: number;
  username: string;
  password: string;
}

const address = ({ username, password, host, port }: Parts): string => `${username}:${password}@${host}:${port}`;
const eachLine =
  (write: (parts: Parts) => string) =>
  (lines: readonly Parts[]): string =>
    lines.map((parts) => `${write(parts)}\n`).join('');

const COLUMNS = ['scheme', 'host', 'port', 'username', 'password'] as const;

/** From the name of a format to the text of a file in it. */
export const LINE_FORMATS = {
  'ip:port:user:pass': eachLine(({ host, port, username, password }) => `${host}:${port}:${username}:${password}`),
  'user:pass@ip:port': eachLine(address),
  url: eachLine((parts) => `${parts.scheme}://${address(parts)}`),
  curl: eachLine((parts) => `curl -x '${parts.scheme === 'socks5' ? 'socks5h' : parts.scheme}://${address(parts)}' https://example.com`),
  csv: (lines: readonly Parts[]) =>
    [COLUMNS.join(','), ...lines.map((parts) => COLUMNS.map((name) => parts[name]).join(','))].map((row) => `${row}\r\n`).join(''),
  json: (lines: readonly Parts[]) => `${JSON.stringify(lines, COLUMNS as unknown as string[], 1)}\n`,
} as const;
export type LineFormat = keyof typeof LINE_FORMATS;

/** Lines of the API in a format, as the text of a file. No part of a line but the password may contain a colon. */
export function formatLines(lines: readonly string[], format: LineFormat, scheme: Scheme): string {
  const parts = lines.map((line): Parts => {
    const [host = '', port = '', username = '', ...password] = line.split(':');
    return { scheme, host, port: Number(port), username, password: password.join(':') };
  });
  return LINE_FORMATS[format](parts);
}
