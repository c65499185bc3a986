// The operator's table of the countries of addresses (GEO_FILE), kept in memory and read again when the file changes. Nothing is downloaded.
import { readFile, stat } from 'node:fs/promises';
import { setImmediate as nextLoop } from 'node:timers/promises';
import { MINUTE } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { StartFailure } from '#platform/start-failure.ts';
import { type CountryTable, readCountryTable } from '../domain/country-table.ts';

export interface AddressCountry {
  /** ISO 3166-1 alpha-2; undefined: not known. */
  of(address: string): string | undefined;
}

/** How often it is looked whether the file is another one. */
const LOOK_MS = MINUTE;

/** Reads the table a little at a time: requests are answered meanwhile. */
async function read(path: string): Promise<CountryTable> {
  const reading = readCountryTable(await readFile(path, 'utf8'));
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    await nextLoop();
  }
}

/** Opens the table. Throws a StartFailure when the file cannot be read or is not in its format; one that is replaced later by such a file is not taken. */
export async function openAddressCountry(
  path: string | undefined,
  log: Log,
  closing: (close: () => Promise<void>) => void,
): Promise<AddressCountry> {
  if (path === undefined) return { of: () => undefined };
  let table: CountryTable;
  let changedMs: number;
  try {
    changedMs = (await stat(path)).mtimeMs;
    table = await read(path);
  } catch (error) {
    throw new StartFailure(`The configuration is wrong: GEO_FILE ${path} cannot be used. ${(error as Error).message}`, { cause: error });
  }
  const look = async () => {
    try {
      const { mtimeMs } = await stat(path);
      if (mtimeMs === changedMs) return;
      changedMs = mtimeMs;
      table = await read(path);
      log.info({ path, ranges: table.ranges }, 'the table of countries is read again');
    } catch (error) {
      log.error({ path, error: String(error) }, 'the table of countries could not be read again: the last one is used');
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  closing(async () => clearInterval(timer));
  return { of: (address) => table.countryOf(address) };
}
