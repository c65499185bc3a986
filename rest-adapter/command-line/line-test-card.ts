import type { TestProxyLineData } from '../client/index.ts';
import { card } from './table.ts';

/** What a test of a line has shown: whether it works, why not and how to mend it, and then all that was seen. */
export function lineTestCard(
  { works, problems, fault, exit, ...read }: Pick<TestProxyLineData, 'works' | 'problems' | 'fault' | 'exit'>,
  more: object = {},
): string[] {
  const said = fault ? [fault.message, ...(fault.hint === null ? [] : [fault.hint])] : [];
  return [
    works ? 'It works.' : 'It does not work:',
    ...[...said, ...problems.map(({ message }) => message)].map((sentence) => `  ${sentence}`),
    '',
    ...card({ ...exit, ...read, ...more }),
  ];
}
