import type { Plan } from '#lib/ops/residential-plan.ts';
import { t } from '#lib/text/home.ts';

/** A plan that nobody has, with these bytes bought, used, and used today. */
export const samplePlan = (status: Plan['status'], total: bigint, used: bigint, today: bigint): Plan => ({
  id: `sample-${status}`,
  status,
  endedBy: null,
  validUntil: null,
  lapsedBytes: '0',
  username: t.home.sample.username,
  totalBytes: String(total),
  dailyLimitBytes: null,
  orderId: '',
  createdAt: new Date(0).toISOString(),
  product: { code: 'PREMIUM', name: t.home.sample.plans[status], formSessionMinutes: [], dailyLimitAvailable: true },
  label: { name: '', note: '', colour: null },
  usage: {
    planId: `sample-${status}`,
    status,
    totalBytes: String(total),
    usedBytes: String(used),
    remainingBytes: String(total - used),
    upBytes: '0',
    downBytes: String(used),
    usedTodayBytes: String(today),
    dailyLimitBytes: null,
    bytesPerSecond: '0',
    projectedEndAt: null,
    resetsAt: new Date(0).toISOString(),
    asOf: new Date(0).toISOString(),
  },
  availableActions: [],
});
