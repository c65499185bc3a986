/**
 * Each call with each fault that may meet it. In `npm test` a third of the pairs, every call and every fault among them; all in `npm run prove -- servers`, which
 * sets FAULTS=whole.
 */
export const faultPairs = <Call, Fault>(calls: readonly Call[], faults: readonly Fault[]): (readonly [Call, Fault])[] =>
  calls.flatMap((call, row) =>
    faults.filter((_, column) => process.env['FAULTS'] === 'whole' || (row + column) % 3 === 0).map((fault) => [call, fault] as const),
  );
