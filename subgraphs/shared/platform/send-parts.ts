// A file that is read part by part and streamed, so that a year of data needs no more memory than a day.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface FilePart {
  text: string;
  /** The cursor of the next part; null: this was the last one. */
  next: string | null;
}

export interface PartedFile {
  name: string;
  contentType: string;
  encode?(text: string): string | Buffer;
  partAfter(after: string | null): Promise<FilePart>;
}

/** The first part throws for any mistake in the request, before the response begins. */
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
