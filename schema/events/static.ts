import { z } from 'zod';
import { type EventTerms, NOTHING, byMember, bySupport, coded, failedOrder, ofOrder, stockHeld, stockRefused, useFound } from './terms.ts';

/** What an owner, or a member of the team, has done to a plan. */
const ownersDeed = z.object({ planId: z.string(), ...byMember });

export const STATIC_EVENTS = {
  'static_plan.created': { when: 'A paid order has its plan, which has no addresses yet.', data: ofOrder },
  'static_plan.delivered': {
    when: 'An order for a plan, for more addresses or for fewer (`quantity` below zero) is delivered.',
    data: ofOrder.extend({ quantity: z.number().int() }),
  },
  'static_plan.failed': {
    when: 'An order could not be delivered in its time, or its plan had ended.',
    data: failedOrder,
  },
  'static_plan.suspended': { when: 'The last retry of a renewal has failed.', data: NOTHING },
  'static_plan.resumed': { when: 'A suspended plan was paid.', data: NOTHING },
  'static_plan.cancelled': { when: 'The plan has ended: cancelled, or refunded.', data: NOTHING },
  'static_plan.expired': { when: 'The plan has ended unpaid.', data: NOTHING },
  'static_plan.changed': { when: 'A setting, a label or a date of the plan is another one.', data: z.object(byMember) },
  'static_plan.credentials_changed': {
    when: 'The owner has changed username or password of the lines, or support the password, for a reason.',
    data: z.object(bySupport),
  },
  'static_plan.network_added': {
    when: 'The owner lets a network in without a password, at all addresses of the plan or at `ip`.',
    data: ownersDeed.extend({ network: z.string(), ip: z.string().optional() }),
  },
  'static_plan.network_removed': {
    when: 'A network needs a password again.',
    data: ownersDeed.extend({ network: z.string() }),
  },
  'static_plan.log_in_set': {
    when: 'The owner has set whether lines need their password and one of the networks.',
    data: ownersDeed.extend({ both: z.boolean() }),
  },
  'static_plan.use_found': { when: 'The plan held the address that an abuse case is about, at that time.', data: useFound },
  'static_plan.replaced': {
    when: 'Addresses of a plan were exchanged.',
    data: z.object({
      askedBy: z.enum(['OWNER', 'SUPPORT', 'PLATFORM']),
      reason: z.string(),
      pairs: z.array(z.object({ gone: z.string(), came: z.string() })),
    }),
  },
  'static_plan.health_changed': { when: 'An address of the plan has begun or ceased to fail its checks.', data: NOTHING },
  'static_plan.credit_earned': {
    when: 'Downtime past the promise has earned the owner credit; once for each `reference`.',
    data: z.object({
      subscriptionId: z.string(),
      amountMinor: z.number().int().min(1),
      currency: z.string(),
      reason: z.string(),
      ...coded,
      reference: z.string(),
    }),
  },
  'static_stock.held': {
    when: 'Addresses wait for the payment of an order; the subject is the order.',
    data: stockHeld,
  },
  'static_stock.refused': {
    when: 'No addresses can be held for an order; the subject is the order.',
    data: stockRefused,
  },
  'static_stock.available': {
    when: 'There is stock that somebody waits for; the subject is the product.',
    data: z.object({ title: z.string(), quantity: z.number().int() }),
  },
} as const satisfies Record<string, EventTerms>;
