import type { IncomingMessage } from 'node:http';
import { fail } from '#shared/errors.ts';

/** The whole body as text. Throws `request_too_large` as soon as `limit` bytes are passed; what follows is not read. */
export async function readBody(request: IncomingMessage, limit: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw fail('request_too_large');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw fail('request_too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
