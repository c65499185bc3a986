// Batches work that is cheaper together: while the allowed number of runs is busy, items wait, and the next run takes them all. In an idle process nothing
// waits.

export interface CoalesceOptions<Item, Answer> {
  /** Must return the answers in the order of the items. */
  work(items: readonly Item[]): Promise<Answer[]>;
  sizeOf(item: Item): number;
  /** A batch takes items as long as the sum of their sizes is no more than this, but at least one. */
  maxBatchSize: number;
  /** How many runs may be active at once. */
  concurrency: number;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Returns a function that adds an item; its promise settles with the item's own answer. A run that fails is repeated item by item, so that a bad item harms no
 * other.
 */
export function coalesce<Item, Answer>({
  work,
  sizeOf,
  maxBatchSize,
  concurrency,
}: CoalesceOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const queue: Waiting<Item, Answer>[] = [];
  let busy = 0;

  function next(): Waiting<Item, Answer>[] {
    let size = 0;
    let count = 0;
    while (count < queue.length) {
      size += sizeOf((queue[count] as Waiting<Item, Answer>).item);
      if (count > 0 && size > maxBatchSize) break;
      count++;
    }
    return queue.splice(0, count);
  }

  async function run(waiting: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await work(waiting.map(({ item }) => item));
      waiting.forEach(({ resolve }, index) => resolve(answers[index] as Answer));
    } catch (error) {
      if (waiting.length === 1) waiting[0]?.reject(error);
      else for (const alone of waiting) await run([alone]);
    }
  }

  function start(): void {
    while (busy < concurrency && queue.length > 0) {
      busy++;
      void run(next()).finally(() => {
        busy--;
        start();
      });
    }
  }

  return (item) =>
    new Promise<Answer>((resolve, reject) => {
      queue.push({ item, resolve, reject });
      start();
    });
}
