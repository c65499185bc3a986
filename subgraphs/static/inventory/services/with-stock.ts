// Runs work on addresses that other transactions want too.

export class OutOfStock extends Error {}

/**
 * Runs `work`, first skipping addresses that other transactions have locked. When there are too few, it runs once more and waits for them, since the others may
 * roll back. Nothing is held between the two attempts, so that two buyers who each have half of the rest do not wait for each other. Returns undefined when
 * there are too few in the second attempt too, which `work` shows by throwing OutOfStock.
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
