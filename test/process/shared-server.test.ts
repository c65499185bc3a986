// Test runs beside each other share one PostgreSQL server: who joins while another leaves has one that stays.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinServer } from '../kit/postgres.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'egress-shared-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('whoever joins while the last one leaves finds a server that answers and stays', async () => {
  let present = await joinServer(directory);
  for (const late of [0, 20, 60]) {
    const left = present.leave();
    await pause(late);
    present = await joinServer(directory);
    await left;
    const { rows } = await present.client.query<{ answer: number }>('select 1 as answer');
    expect(rows, `joined ${late} ms after the leave began`).toEqual([{ answer: 1 }]);
  }
  await present.leave();
});
