// How the job queue of all processes fares.
import type { Figures } from './figures.ts';

export interface WaitingJobs {
  /** New ones, those that failed and are tried again later, those that run. */
  ready: number;
  retried: number;
  active: number;
  /** How long the oldest one that is due has waited. */
  waitedSeconds: number;
}

export const QUEUE_FIGURES: Figures<{ waiting(): Promise<WaitingJobs> }> = {
  gauges: {
    egress_queue_jobs: ['Jobs that wait or run, by state: ready, retried, active', 'state'],
    egress_queue_wait_seconds: ['How long the oldest job that is due has waited'],
  },
  read: async (queue) => {
    const { waitedSeconds, ...counts } = await queue.waiting();
    return [
      ...Object.entries(counts).map(([state, value]) => ({ gauge: 'egress_queue_jobs', labels: { state }, value })),
      { gauge: 'egress_queue_wait_seconds', value: waitedSeconds },
    ];
  },
};
