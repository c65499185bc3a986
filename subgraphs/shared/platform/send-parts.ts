// A file that is asked for part by part and passed on as it comes, so that a year of it needs no more memory than a day.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface FilePart {
  text: string;
  /** What the next part is asked for with; null: there is none. */
  next: string | null;
}

export interface PartedFile {
  name: string;
  contentType: string;
  encode?(text: string): string | Buffer;
  partAfter(after: string | null): Promise<FilePart>;
}

/** Whatever is wrong with what was asked is thrown by the first part, before anything is sent. */
export async function sendParts(
  request: IncomingMessage,
  response: ServerResponse,
  { name, contentType, encode = (text) => text, partAfter }: PartedFile,
): Promise<void> {
  let part = await partAfter(null);
  response.writeHead(200, {
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${name}"`,
    'Cache-Control': 'no-store',
  });
  if (request.method === 'HEAD') return void response.end();
  while (true) {
    if (!response.write(encode(part.text))) await once(response, 'drain');
    if (part.next === null || response.destroyed) break;
    part = await partAfter(part.next);
  }
  response.end();
}
