import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { FreePorts } from '#platform/free-ports.ts';
import { freePorts } from '../../../kit/ports.ts';

test('ports that were handed out are not handed out again before the range is through, though nobody listens on them yet', async () => {
  const from = await freePorts(40);
  const ports = new FreePorts(from, from + 40);
  const taken = [await ports.take(10), await ports.take(10), await ports.take(10)];
  // Blocks do not overlap, stay inside the range, and start again at its beginning.
  for (const [index, first] of taken.entries()) {
    expect(first).toBeGreaterThanOrEqual(from);
    expect(first + 10).toBeLessThanOrEqual(from + 40);
    for (const other of taken.slice(index + 1)) expect(Math.abs(first - other)).toBeGreaterThanOrEqual(10);
  }
});

test('a block with a port in use is passed over', async () => {
  const from = await freePorts(20);
  const inUse = createServer();
  await new Promise<void>((listening) => inUse.listen(from + 3, '127.0.0.1', listening));
  try {
    const ports = new FreePorts(from, from + 20);
    for (let round = 0; round < 3; round++) expect(await ports.take(5)).toBeGreaterThanOrEqual(from + 4);
  } finally {
    await new Promise((closed) => inUse.close(closed));
  }
});
