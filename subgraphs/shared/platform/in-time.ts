/** No answer arrived in time. */
export class TooLate extends Error {}

/** Settles as `work` does, or rejects with TooLate after `limitMs` milliseconds; a later result is ignored. */
export function inTime<Answer>(work: Answer | Promise<Answer>, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // Lets pending input be read first: when this process was late itself, the answer may have arrived already.
      setImmediate(() => reject(new TooLate(`no answer within ${limitMs} ms`)));
    }, limitMs);
    Promise.resolve(work).then(
      (answer) => {
        clearTimeout(timer);
        resolve(answer);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
