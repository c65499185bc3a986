import type { IncomingMessage } from 'node:http';
import { requireCleanText } from './clean-text.ts';
import { because, fail } from './errors.ts';

/** Throws `content_type_refused` for a body that is not said to be JSON. */
export function requireJson({ headers }: IncomingMessage): void {
  if (!/^application\/json(\s*;|$)/i.test(headers['content-type'] ?? '')) throw fail('content_type_refused');
}

/** The whole body. Throws `request_too_large` as soon as it is longer than `limit` bytes; the rest is not read into memory. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) return Promise.reject(fail('request_too_large'));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (finish: () => void) => {
      request.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      finish();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) settle(() => reject(fail('request_too_large')));
      else chunks.push(chunk);
    };
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onError = (error: Error) => settle(() => reject(error));
    const onClose = () => settle(() => reject(new Error('the caller went away')));
    request.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/**
 * The body as a JSON object. `checked` is called with the raw bytes before they are parsed. Throws `parameter_invalid` when the body is anything else, or a
 * text in it is not clean.
 */
export async function readJsonObject(
  request: IncomingMessage,
  limit: number,
  checked?: (body: Buffer) => void,
): Promise<Record<string, unknown>> {
  const body = await readBody(request, limit);
  checked?.(body);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw fail('parameter_invalid', { reason: because('body_not_json') });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('parameter_invalid', { reason: because('body_not_object') });
  requireCleanText(value);
  return value as Record<string, unknown>;
}
