import { formatBytes } from '#lib/format/bytes.ts';
import type { UsageMark } from '#lib/ops/usage-of-plans.ts';
import { t } from '#lib/text/usage-of-plans.ts';

/** One sentence about a mark of the plan that is called `plan`. */
export const markText = ({ kind, bytes }: Pick<UsageMark, 'kind' | 'bytes'>, plan: string): string =>
  t.usageOfPlans.mark[kind](plan, bytes === null ? null : formatBytes(bytes));
