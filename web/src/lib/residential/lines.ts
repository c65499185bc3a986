// Formats of a proxy line. The API's own is host:port:username:password; the others arrange the same four parts.
export const lineFormats = ['ip:port:user:pass', 'user:pass@ip:port', 'url'] as const;
export type LineFormat = (typeof lineFormats)[number];

export type Scheme = 'http' | 'socks5' | 'https';

/** By the API's name of the protocol. */
export const schemes = { HTTP: 'http', SOCKS5: 'socks5', HTTPS: 'https' } as const satisfies Record<string, Scheme>;

/** Converts a line of the API to another format. No part contains a colon: usernames and passwords consist of letters, digits, `-` and `_`. */
export function formatLine(line: string, format: LineFormat, scheme: Scheme): string {
  if (format === 'ip:port:user:pass') return line;
  const [host, port, username, ...password] = line.split(':');
  const rest = `${username}:${password.join(':')}@${host}:${port}`;
  return format === 'url' ? `${scheme}://${rest}` : rest;
}

export const formatLines = (lines: readonly string[], format: LineFormat, scheme: Scheme): string[] =>
  format === 'ip:port:user:pass' ? [...lines] : lines.map((line) => formatLine(line, format, scheme));

/** The line with its password replaced, for display. */
export function maskLine(line: string): string {
  const [host, port, username] = line.split(':');
  return `${host}:${port}:${username}:••••••••`;
}

/** Lines as a file for programs, with the four parts separated. */
export function toFile(lines: readonly string[], kind: 'csv' | 'json', scheme: Scheme): string {
  const rows = lines.map((line) => {
    const [host = '', port = '', username = '', password = ''] = line.split(':');
    return { scheme, host, port: Number(port), username, password };
  });
  if (kind === 'json') return `${JSON.stringify(rows, null, 1)}\n`;
  return ['scheme,host,port,username,password', ...rows.map((row) => Object.values(row).join(','))].map((row) => `${row}\r\n`).join('');
}
