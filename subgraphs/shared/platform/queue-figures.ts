// The state of the job queue, over all processes.
import type { Figures } from './figures.ts';

export interface WaitingJobs {
  /** `ready`: new jobs; `retried`: failed ones that wait for a retry; `active`: running ones. */
  ready: number;
  retried: number;
  active: number;
  /** How long the oldest due job has waited. */
  waitedSeconds: number;
}

/** The state of one queue: all jobs of one name. */
export interface QueueState extends WaitingJobs {
  queue: string;
  /** Jobs that were given up and are not deleted yet. */
  failed: number;
  /** Failed tries of the jobs that are not done. */
  retries: number;
}

/** The sum over all queues. */
export const ofAllQueues = (queues: readonly QueueState[]): WaitingJobs => {
  const sum = (count: 'ready' | 'retried' | 'active') => queues.reduce((all, queue) => all + queue[count], 0);
  return {
    ready: sum('ready'),
    retried: sum('retried'),
    active: sum('active'),
    waitedSeconds: Math.max(0, ...queues.map(({ waitedSeconds }) => waitedSeconds)),
  };
};

export const QUEUE_FIGURES: Figures<{ queues(): Promise<QueueState[]> }> = {
  gauges: {
    egress_queue_jobs: ['Jobs that wait or run, by state: ready, retried, active', 'state'],
    egress_queue_wait_seconds: ['How long the oldest job that is due has waited'],
    egress_job_queue_jobs: ['Jobs of a queue by state: ready, retried, active, and failed: given up, for a week', 'queue', 'state'],
    egress_job_queue_wait_seconds: ['How long the oldest job of a queue that is due has waited', 'queue'],
    egress_job_queue_retries: ['Tries in vain of the jobs of a queue that are not done', 'queue'],
  },
  read: async (queue) => {
    const queues = await queue.queues();
    const { waitedSeconds, ...counts } = ofAllQueues(queues);
    return [
      ...queues.flatMap(({ queue: name, waitedSeconds: waited, retries, ready, retried, active, failed }) => [
        ...Object.entries({ ready, retried, active, failed }).map(([state, value]) => ({
          gauge: 'egress_job_queue_jobs',
          labels: { queue: name, state },
          value,
        })),
        { gauge: 'egress_job_queue_wait_seconds', labels: { queue: name }, value: waited },
        { gauge: 'egress_job_queue_retries', labels: { queue: name }, value: retries },
      ]),
      ...Object.entries(counts).map(([state, value]) => ({ gauge: 'egress_queue_jobs', labels: { state }, value })),
      { gauge: 'egress_queue_wait_seconds', value: waitedSeconds },
    ];
  },
};
