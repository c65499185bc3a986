// Work on addresses that others want too.

export class OutOfStock extends Error {}

/** PostgreSQL's word for two transactions that wait for each other: it has rolled one of them back, which may simply try again. */
const isDeadlock = (error: unknown): boolean => (error as { code?: unknown }).code === '40P01';

const TRIES = 5;

/**
 * Runs one transaction, and again when it was rolled back for a deadlock. Everybody locks addresses in the order in which they are sold, so that
 * there is hardly ever one; but an address that goes to rest meanwhile changes its place in that order.
 */
export async function againAfterDeadlock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (left <= 1 || !isDeadlock(error)) throw error;
    }
  }
}

/**
 * Runs `work` past the addresses that others are taking; when that is too few, the others may yet roll back, so once more, waiting for them.
 * Between the attempts nothing is held, so that two buyers with half of the rest each do not wait for one another.
 * Undefined when there are too few all the same: `work` throws OutOfStock.
 */
export async function withStock<Result>(work: (wait: boolean) => Promise<Result>): Promise<Result | undefined> {
  for (const wait of [false, true]) {
    try {
      return await againAfterDeadlock(() => work(wait));
    } catch (error) {
      if (!(error instanceof OutOfStock)) throw error;
    }
  }
  return undefined;
}
