import { formatBytes } from '#lib/format/bytes.ts';
import type { UsageMark } from '#lib/ops/usage.ts';
import { t } from '#lib/text/index.ts';

/** One sentence about a mark of the plan that is called `plan`. */
export const markText = ({ kind, bytes }: Pick<UsageMark, 'kind' | 'bytes'>, plan: string): string =>
  t.usage.together.mark[kind](plan, bytes === null ? null : formatBytes(bytes));
