// Work on addresses that others want too.

export class OutOfStock extends Error {}

/**
 * Runs `work` past the addresses that others are taking; when that is too few, the others may yet roll back, so once more, waiting for them.
 * Between the attempts nothing is held, so that two buyers with half of the rest each do not wait for one another.
 * Undefined when there are too few all the same: `work` throws OutOfStock.
 */
export async function withStock<Result>(work: (wait: boolean) => Promise<Result>): Promise<Result | undefined> {
  for (const wait of [false, true]) {
    try {
      return await work(wait);
    } catch (error) {
      if (!(error instanceof OutOfStock)) throw error;
    }
  }
  return undefined;
}
