// Multipart bodies, which carry files, read as ordinary fields; of a file only its name, size and type are kept.
import type { Context } from 'hono';

/** By the file's first bytes, since its declared type may be wrong. */
const BEGINNINGS = { '%PDF-': 'application/pdf', '\u0089PNG': 'image/png', '\u00ff\u00d8\u00ff': 'image/jpeg' } as const;

/** The body of a request as an encoded form. */
export async function readForm(c: Context): Promise<string> {
  if (!c.req.header('content-type')?.startsWith('multipart/form-data')) return c.req.text();
  const form = new URLSearchParams();
  for (const [name, value] of (await c.req.formData()).entries()) {
    if (typeof value === 'string') form.append(name, value);
    else {
      const beginning = Buffer.from(await value.slice(0, 8).arrayBuffer()).toString('latin1');
      form.append(`${name}[name]`, value.name || 'file');
      form.append(`${name}[size]`, String(value.size));
      form.append(
        `${name}[type]`,
        Object.entries(BEGINNINGS).find(([bytes]) => beginning.startsWith(bytes))?.[1] ?? 'application/octet-stream',
      );
    }
  }
  return form.toString();
}
