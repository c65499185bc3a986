/** Somebody did not answer in time. */
export class TooLate extends Error {}

/** The work's own outcome; rejects with TooLate when there is none within so many milliseconds, and what comes later is nobody's any more. */
export async function inTime<Answer>(work: Answer | Promise<Answer>, limitMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // After what has arrived is read: where this process was late itself, the answer may lie there already.
    timer = setTimeout(() => setImmediate(() => reject(new TooLate(`no answer within ${limitMs} ms`))), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
