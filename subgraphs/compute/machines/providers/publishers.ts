// Reads from publishers of cloud images the checksum of the newest image.
import { request } from 'undici';
import { type CloudImage, algorithmOf, checksumIn, publicationOf } from '../domain/cloud-image.ts';

const TIMEOUT_MS = 30_000;

/** The newest image of an operating system; undefined: nobody publishes one. Throws when the publisher does not answer, or does not name the image. */
export async function publishedImage(image: string, mirror?: string): Promise<CloudImage | undefined> {
  const published = publicationOf(image, mirror);
  if (!published) return undefined;
  const { url, sumsUrl } = published;
  const answer = await request(sumsUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch((error: unknown) => {
    throw new Error(`${sumsUrl} cannot be read: ${(error as Error).message}`, { cause: error });
  });
  const sums = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`${sumsUrl} cannot be read: ${answer.statusCode}`);
  const checksum = checksumIn(sums, url.split('/').at(-1) ?? '');
  const algorithm = algorithmOf(checksum ?? '');
  if (checksum === undefined || algorithm === undefined) throw new Error(`${sumsUrl} has no checksum of ${url}`);
  return { url, checksum, algorithm };
}
