// All that a statement finds, so many rows at a time: what is never done with must not keep what lies behind it from being looked at.

const BATCH_SIZE = 500;

/** `find` gives at most `limit` rows behind an id, in the order of their ids; at first behind ''. */
export async function* everyRow<Row extends { id: string }>(
  find: (behind: string, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<Row> {
  for (let behind: string | undefined = ''; behind !== undefined;) {
    const rows: readonly Row[] = await find(behind, BATCH_SIZE);
    yield* rows;
    behind = rows.length < BATCH_SIZE ? undefined : rows.at(-1)?.id;
  }
}
