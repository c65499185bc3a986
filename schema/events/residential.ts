import { z } from 'zod';
import { type EventTerms, byMember, bySupport, useFound } from './terms.ts';

/** The subject is the plan, or the batch. */
const ofPlan = z.object({ planId: z.string() });

/** What an owner, or a member of the team, has done to a plan. */
const ownersDeed = ofPlan.extend(byMember);

const ofUser = z.object({ planId: z.string(), userId: z.string() });

export const RESIDENTIAL_EVENTS = {
  'residential_plan.created': {
    when: 'A paid order has its package; also one that support gave away, whose order is made up.',
    data: z.object({ orderId: z.string(), planId: z.string(), product: z.string(), bytes: z.string() }),
  },
  'residential_plan.withdrawn': {
    when: 'What was not used of a package is taken back: its order was refunded, or support took so many bytes for a reason.',
    data: z.object({
      orderId: z.string(),
      planId: z.string(),
      /** What support took, why, and who it was. */
      bytes: z.string().optional(),
      title: z.string().optional(),
      reason: z.string().optional(),
      by: z.string().optional(),
    }),
  },
  'residential_plan.topped_up': {
    when: 'A paid order has brought more bytes into a package that was there.',
    data: z.object({
      orderId: z.string(),
      planId: z.string(),
      bytes: z.string(),
      totalBytes: z.string(),
      /** Absent: it is valid for ever. */
      validUntil: z.string().optional(),
    }),
  },
  'residential_plan.ends_soon': {
    when: 'The validity of a package of which bytes are left ends within 7 days, or within 1; once for each.',
    data: z.object({ planId: z.string(), title: z.string(), days: z.number().int(), leftBytes: z.string(), validUntil: z.string() }),
  },
  'residential_plan.lapsed': {
    when: 'The validity of a package is over; `bytes` were left of it, and nothing of them can be used any more.',
    data: z.object({ planId: z.string(), title: z.string(), bytes: z.string(), validUntil: z.string() }),
  },
  'residential_plan.network_added': {
    when: 'The owner lets a network in without a password.',
    data: ownersDeed.extend({ network: z.string() }),
  },
  'residential_plan.network_removed': { when: 'A network needs a password again.', data: ownersDeed.extend({ network: z.string() }) },
  'residential_plan.log_in_set': {
    when: 'The owner has set whether lines need their password and one of the networks.',
    data: ownersDeed.extend({ both: z.boolean() }),
  },
  'residential_plan.request_log_set': {
    when: 'The owner has chosen what of single requests is written down.',
    data: ownersDeed.extend({ mode: z.string() }),
  },
  'residential_plan.request_log_deleted': { when: "The owner has deleted the log of a plan's requests.", data: ownersDeed },
  'residential_plan.alerts_set': {
    when: 'The owner has set at which marks to be told; null: those that everybody has.',
    data: ownersDeed.extend({ percents: z.array(z.number().int()).nullable(), leftBytes: z.array(z.string()) }),
  },
  'residential_plan.labelled': { when: 'The owner has named a plan, noted something of it, or given it a colour.', data: ofPlan },
  'residential_plan.auto_top_up_set': {
    when: 'The owner has set automatic top-ups, or switched them off.',
    data: ownersDeed.extend({ enabled: z.boolean(), gigabytes: z.number().int().optional(), ceilingMinor: z.number().int().optional() }),
  },
  'residential_plan.top_up_asked': {
    when: 'A package has come below the mark of its automatic top-up: accounts buys what the offer says, once, or answers `top_up.declined`.',
    data: ofPlan.extend({
      requestId: z.string(),
      /** The order that made the plan: what is known of where its buyer is holds for this one too. */
      orderId: z.string(),
      /** Signed. */
      offer: z.string(),
    }),
  },
  'residential_plan.top_up_held': {
    when: 'A package has come below the mark of its automatic top-up, and the ceiling of the month leaves no room for one.',
    data: ofPlan.extend({ title: z.string(), ceiling: z.string() }),
  },
  'residential_plan.top_up_stopped': {
    when: 'Automatic top-ups of a package are switched off, since one could not be paid.',
    data: ofPlan.extend({ title: z.string(), why: z.string(), words: z.string().optional() }),
  },
  'residential_plan.paused': {
    when: 'The Daily Usage Limit is reached.',
    data: ofPlan.extend({ title: z.string().optional(), dailyLimitBytes: z.string().optional() }),
  },
  'residential_plan.resumed': { when: 'A plan is active again: another day, another limit, or more bytes.', data: ofPlan },
  'residential_plan.expired': { when: 'All bought bytes are used, or the validity of the package is over.', data: ofPlan },
  'residential_plan.reset': {
    when: 'The owner has reset proxy authentication, or support has, for a reason.',
    data: z.object({ planId: z.string(), credentialEpoch: z.number().int(), ...bySupport }),
  },
  'residential_plan.use_found': { when: 'The plan used the address that an abuse case is about.', data: useFound },
  'residential_plan.limited': {
    when: 'The owner has set or removed the Daily Usage Limit.',
    data: ownersDeed.extend({ dailyLimitBytes: z.string().nullable() }),
  },
  'residential_plan.balance_low': {
    when: 'Use has passed a mark of the package: 80, 95 or 100 percent, or the marks that its owner has set; once for each crossing.',
    data: z.object({
      planId: z.string(),
      percent: z.number().int(),
      title: z.string(),
      /** The mark, where it is one of bytes left; `percent` is what is used then. */
      leftBytes: z.string().optional(),
    }),
  },
  'residential_plan.balance_resolved': {
    when: 'A package that ran out has grown, or another one of its product was bought.',
    data: z.object({ planId: z.string(), percent: z.number().int(), newPlanId: z.string().optional() }),
  },
  'proxy_user.created': { when: 'The owner has given somebody a part of the plan.', data: ofUser },
  'proxy_user.changed': {
    when: "The owner has changed a proxy user's name, limits or rules, has paused it, or let its allowance begin anew.",
    data: ofUser,
  },
  'proxy_user.reset': { when: 'A proxy user has a new password.', data: ofUser },
  'proxy_user.removed': { when: 'The owner has removed a proxy user.', data: ofUser },
  'proxy_user.page_made': { when: "The owner has made an address where a proxy user's use is read.", data: ofUser },
  'proxy_user.page_revoked': { when: 'The owner has taken that address back.', data: ofUser },
  'proxy_batch.address_made': { when: 'The owner has made an address where the lines of a batch are read.', data: ofPlan },
  'proxy_batch.address_revoked': { when: 'The owner has taken back the address where the lines of a batch were read.', data: ofPlan },
  'usage_hosts.chosen': {
    when: 'The owner has chosen how hosts are kept that were reached; the subject is the account.',
    data: z.object({ kept: z.enum(['plain', 'hashed', 'off']), ...byMember }),
  },
} as const satisfies Record<string, EventTerms>;
