// Measures the platform at intervals, reports to accounts, and keeps the results in memory and on disk, so that they are available without the database and after a restart.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, SECOND, systemClock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import { type Asks, askFor, measureStates } from './components.ts';
import { type Known, NOTHING_KNOWN, type StatusReport, freshOf, reportOf, withMinute } from './status-report.ts';

export interface StatusBoard {
  report(): StatusReport;
  /** Measures everything now. Never rejects. */
  measure(): Promise<void>;
  /** Measures at intervals from now on; to be called when the platform has started, since a failed start closes the sources that are asked. */
  start(): void;
  close(): Promise<void>;
}

export interface StatusBoardOptions {
  asks: Asks;
  /** The file in which the results are kept. */
  file: string;
  clock: Clock;
  log: Log;
}

const EVERY_MS = 15 * SECOND;
/** Minutes in one report; accounts accepts at most 2,000. */
const BATCH_SIZE = 1_500;

const REPORT = 'mutation statusReport($minutes: [StatusMinuteInput!]!) { told: statusReport(minutes: $minutes) }';
const READ = `query statusHistory {
  days: statusHistory { component on measuredMinutes degradedMinutes downMinutes }
  incidents: statusIncidents {
    id kind components impact title { en de } beginsAt endsAt resolvedAt updates { id step text { en de } at }
  }
}`;

/** With another clock than the system's nothing is measured at intervals: a test that moves the clock also calls `measure`, so that no measurement runs in between. */
export async function openStatusBoard({ asks, file, clock, log }: StatusBoardOptions): Promise<StatusBoard> {
  let known = freshOf(await readKnown(file, log), clock.now());
  let isSaved = true;
  let measuring: Promise<void> | undefined;

  /** Reports the minutes that were not reported yet, and reads the history with them. Without accounts everything stays as it is. */
  async function exchange(): Promise<void> {
    const reported = known.minutes.slice(0, BATCH_SIZE);
    await askFor(asks.accounts, REPORT, { minutes: reported });
    const { days, incidents } = await askFor<Pick<Known, 'days' | 'incidents'>>(asks.accounts, READ);
    known = { ...known, days, incidents, minutes: known.minutes.filter((minute) => !reported.includes(minute)) };
  }

  async function look(): Promise<void> {
    const states = await measureStates(asks);
    const now = clock.now();
    known = { ...known, states, measuredAt: now.toISOString(), minutes: withMinute(known.minutes, states, now) };
    await exchange().catch((error: unknown) => log.debug({ err: error }, 'the status page could not be stored'));
    try {
      await save(file, known);
      isSaved = true;
    } catch (error) {
      // Warns once: a disk that is full or not writable stays so.
      if (isSaved) log.warn({ err: error }, 'what is known for the status page cannot be kept on disk');
      isSaved = false;
    }
  }

  const measure = () =>
    (measuring ??= look().finally(() => {
      measuring = undefined;
    }));
  let timer: NodeJS.Timeout | undefined;
  return {
    report: () => reportOf(known, clock.now()),
    measure,
    start() {
      if (clock !== systemClock) return;
      timer = setInterval(() => void measure(), EVERY_MS).unref();
      void measure();
    },
    async close() {
      clearInterval(timer);
      await measuring;
    },
  };
}

async function readKnown(file: string, log: Log): Promise<Known> {
  try {
    return { ...NOTHING_KNOWN, ...(JSON.parse(await readFile(file, 'utf8')) as Partial<Known>) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') log.warn({ err: error }, 'what was known for the status page cannot be read');
    return NOTHING_KNOWN;
  }
}

/** Writes a new file and renames it, so that the file is never incomplete. */
async function save(file: string, known: Known): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(known));
  await rename(`${file}.new`, file);
}
