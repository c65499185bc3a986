import { type Hash, createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { PUBLIC, connectHead, startTarget, startWorld } from './world.ts';

const SIZE = 6_000_000;

/** Random bytes in pieces of all sizes, so that buffers grow and shrink. */
function pieces(seed: Buffer): Buffer[] {
  const all: Buffer[] = [];
  for (let at = 0, step = 0; at < seed.length; step++) {
    const length = Math.min(seed.length - at, [1, 100, 2_048, 2_049, 70_000, 300_000][step % 6] as number);
    all.push(seed.subarray(at, at + length));
    at += length;
  }
  return all;
}
const digest = (hash: Hash): string => hash.digest('hex');

test('what goes in comes out, both ways at once, for readers that stop and through hundreds of small leases', async () => {
  const world = await startWorld({ limits: { leaseBytesMin: 60_000, leaseBytesMax: 200_000 } });
  const content = randomBytes(SIZE);
  const expected = digest(createHash('sha256').update(content));
  const uploads: Promise<string>[] = [];
  const target = await startTarget((socket) => {
    const hash = createHash('sha256');
    uploads.push(
      new Promise((resolve) => {
        socket.on('data', (bytes) => hash.update(bytes));
        socket.on('end', () => resolve(digest(hash)));
      }),
    );
    for (const piece of pieces(content)) socket.write(piece);
    socket.end();
  });
  world.route('target.example', [PUBLIC], target.endpoint);
  const plan = world.ledger.plan();
  const downloads = await Promise.all(
    Array.from({ length: 6 }, async (_, index) => {
      const client = await world.client();
      client.write(connectHead(`target.example:${target.endpoint.port}`, plan.username));
      client.skip((await client.until('\r\n\r\n')).indexOf('\r\n\r\n') + 4);
      for (const piece of pieces(content)) client.write(piece);
      client.socket.end();
      // Every other customer pauses while reading.
      if (index % 2)
        client.socket.on('data', () => {
          client.socket.pause();
          setImmediate(() => client.socket.resume());
        });
      return digest(createHash('sha256').update(await client.ended()));
    }),
  );
  expect(new Set([...downloads, ...(await Promise.all(uploads))])).toEqual(new Set([expected]));
  await world.edge.plans.leases.flush();
  expect(plan.usedBytes).toBe(BigInt(12 * SIZE));
  expect(world.ledger.leases.size).toBeGreaterThan(200);
  await world.close();
  await target.close();
});
