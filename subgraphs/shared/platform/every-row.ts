// All rows that a statement finds, in batches: rows that nothing can be done with must not keep later ones from being looked at.

const BATCH_SIZE = 500;

/** `find` must return at most `limit` rows after an id, in the order of their ids. The first call is after ''. */
export async function* everyRow<Row extends { id: string }>(
  find: (after: string, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: readonly Row[] = await find(after, BATCH_SIZE);
    yield* rows;
    after = rows.length < BATCH_SIZE ? undefined : rows.at(-1)?.id;
  }
}
