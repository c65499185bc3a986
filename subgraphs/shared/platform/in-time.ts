/** No answer arrived in time. */
export class TooLate extends Error {}

/** Settles as `work` does, or rejects with TooLate after `limitMs` milliseconds; a later result is ignored. */
export async function inTime<Answer>(work: Answer | Promise<Answer>, limitMs: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    // Lets pending input be read first: when this process was late itself, the answer may have arrived already.
    timer = setTimeout(() => setImmediate(() => reject(new TooLate(`no answer within ${limitMs} ms`))), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
