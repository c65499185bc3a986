import { type InferEntity, defineEntity } from '@mikro-orm/core';
import type { EntityManager } from '#platform/database.ts';
import type { RiskKind, RiskOutcome } from '../domain/risk-rule.ts';

/** A rule on orders, as the desk has set it. */
export const RiskRule = defineEntity({
  name: 'RiskRule',
  tableName: 'risk_rule',
  properties: (p) => ({
    id: p.string().primary(),
    kind: p.string().$type<RiskKind>(),
    outcome: p.string().$type<RiskOutcome>(),
    onlyNew: p.boolean(),
    enabled: p.boolean(),
    amountMinor: p.bigint('number').nullable(),
    maxOrders: p.integer().nullable(),
    hours: p.integer().nullable(),
    words: p.array().$type<string[]>(),
    identityLevel: p.integer().nullable(),
    changedBy: p.string(),
    changedAt: p.datetime(),
  }),
});
export type RiskRule = InferEntity<typeof RiskRule>;

export const riskRules = (em: EntityManager): Promise<RiskRule[]> => em.find(RiskRule, {}, { orderBy: { id: 'asc' } });

export const rulesInForce = (em: EntityManager): Promise<RiskRule[]> => em.find(RiskRule, { enabled: true }, { orderBy: { id: 'asc' } });

export const ruleWithId = (em: EntityManager, id: string): Promise<RiskRule | null> => em.findOne(RiskRule, { id });

/** Inserts a rule, or replaces the one with its id. */
export const saveRule = (em: EntityManager, rule: RiskRule): Promise<RiskRule> => em.upsert(RiskRule, rule);

export const deleteRule = (em: EntityManager, id: string): Promise<number> => em.nativeDelete(RiskRule, { id });
