import { expect, test } from 'vitest';
import { next } from '#platform/lifecycle.ts';
import {
  STATIC_PLAN_LIFECYCLE,
  STATIC_PLAN_STATUSES,
  type StaticPlanEvent,
} from '../../../../../subgraphs/static/plans/domain/static-plan-lifecycle.ts';
import { matrixOf } from '../../../../kit/matrix.ts';

const EVENTS: StaticPlanEvent[] = ['delivered', 'not_delivered', 'refunded', 'retries_exhausted', 'paid', 'grace_over', 'period_ended'];

test('the states of a static plan under every event', () => {
  expect(matrixOf(STATIC_PLAN_STATUSES, EVENTS, (status, event) => next(STATIC_PLAN_LIFECYCLE, status, event))).toBe(`
                    PENDING    ACTIVE     SUSPENDED  CANCELLED  EXPIRED
delivered           ACTIVE     .          .          .          .
not_delivered       CANCELLED  .          .          .          .
refunded            CANCELLED  CANCELLED  CANCELLED  .          .
retries_exhausted   .          SUSPENDED  .          .          .
paid                .          .          ACTIVE     .          .
grace_over          .          EXPIRED    EXPIRED    .          .
period_ended        CANCELLED  CANCELLED  CANCELLED  .          .
`);
});
