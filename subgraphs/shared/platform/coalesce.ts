// Work that is cheaper in batches: while as many runs as allowed are busy, items wait, and the next run takes all of them. In an idle process nothing waits.

export interface CoalesceOptions<Item, Answer> {
  /** Answers in the order of the items. */
  work(items: readonly Item[]): Promise<Answer[]>;
  sizeOf(item: Item): number;
  /** Items are taken as long as their sizes sum to no more than this; at least one. */
  maxBatchSize: number;
  /** How many runs go on at the same time. */
  concurrency: number;
}

interface Waiting<Item, Answer> {
  item: Item;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Returns how to add an item; its promise settles with its own answer. A run that fails is repeated item by item, so that a bad one harms no other. */
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
