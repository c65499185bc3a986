// `GET /machine-seeds/...`: the second medium of a machine, which its controller fetches. Controllers read a medium in pieces, so ranges are supported.
import { fail } from '#platform/errors.ts';
import { requireMethod } from '#platform/respond.ts';
import type { Route } from '#platform/route.ts';
import type { ComputeContext } from './providers.ts';
import { openSeed } from './provisioning/services/machine-seed.ts';
import { SEED_PATH } from './provisioning/services/seed-address.ts';

/** `context` makes a new context of the platform's own for each call. */
export const createSeedRoute = (context: () => ComputeContext): Route => ({
  name: 'machine-seeds',
  vital: true,
  matches: (pathname) => pathname.startsWith(SEED_PATH),
  async handle(request, response, { url }) {
    requireMethod(request, response, 'GET', 'HEAD');
    const image = await openSeed(context(), url.pathname.slice(SEED_PATH.length));
    if (!image) throw fail('route_not_found');
    const [from, to] = rangeOf(request.headers.range, image.length);
    const isWhole = from === 0 && to === image.length - 1;
    response.writeHead(isWhole ? 200 : 206, {
      'content-type': 'application/octet-stream',
      'content-length': to - from + 1,
      'accept-ranges': 'bytes',
      // It contains a password.
      'cache-control': 'no-store',
      ...(!isWhole && { 'content-range': `bytes ${from}-${to}/${image.length}` }),
    });
    response.end(request.method === 'HEAD' ? undefined : image.subarray(from, to + 1));
  },
});

/** First and last byte of a range; an invalid range is answered with the whole image. */
function rangeOf(header: string | undefined, length: number): [number, number] {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  const from = first === '' ? (last === '' ? 0 : Math.max(0, length - Number(last))) : Number(first);
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1);
  return from <= to ? [from, to] : [0, length - 1];
}
