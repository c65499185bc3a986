// What an owner changes on a plan. Every change takes effect at once: proxy nodes are notified when it commits.
import { checkReason } from '#commerce/support-reason.ts';
import { accountOf, doneBy, ownerOf, refuseOwnAccount } from '#platform/context.ts';
import { inTransaction } from '#platform/database.ts';
import { appendEvents } from '#platform/events.ts';
import { because, fail } from '#platform/errors.ts';
import { seal } from '#platform/sealing.ts';
import { type StaticPlanAction, requirePlanAction } from '../domain/plan-actions.ts';
import { checkPassword, checkUsername, toAllowedAddresses, toLabel } from '../domain/plan-credentials.ts';
import { labelAddress } from '../entities/plan-address.ts';
import { type StaticPlan, isUsernameTaken, lockPlanOf, lockPlanOfAny } from '../entities/static-plan.ts';
import { staticProduct } from '../../products/domain/static-product.ts';
import type { PlansContext } from '../context.ts';
import { newPassword } from './create-plan.ts';

type PlanFact = 'static_plan.changed' | 'static_plan.credentials_changed';

/** Locks the caller's plan, changes it, and appends the event that `change` names. Returns the plan's id. */
const changePlan = (
  ctx: PlansContext,
  id: string,
  action: StaticPlanAction,
  change: (tx: PlansContext, plan: StaticPlan) => Promise<PlanFact> | PlanFact,
): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    const plan = await lockPlanOf(tx.em, ownerOf(ctx, id), id);
    requirePlanAction(action, plan, tx.clock.now());
    const type = await change(tx, plan);
    await appendEvents(tx.em, { type, at: tx.clock.now(), accountId: plan.accountId, subject: id, data: doneBy(tx) });
    return id;
  });

/** So many replaced passwords are recognised as old. Older ones are answered like wrong ones. */
const OLD_PASSWORDS = 8;

function setPassword({ providers }: PlansContext, plan: StaticPlan, password: string): void {
  plan.oldPasswordsSealed = [Buffer.from(plan.passwordSealed).toString('hex'), ...plan.oldPasswordsSealed].slice(0, OLD_PASSWORDS);
  plan.passwordSealed = seal(password, providers.sealing, plan.id);
}

/** Makes a new random password; lines with the old one stop working. Errors: plan_not_found, action_not_allowed. */
export const rotatePassword = (ctx: PlansContext, id: string): Promise<string> =>
  changePlan(ctx, id, 'set_credentials', (tx, plan) => {
    setPassword(tx, plan, newPassword());
    return 'static_plan.credentials_changed';
  });

/** The same by support; the owner gets the reason by mail. Errors: plan_not_found, own_account_refused, parameter_invalid, action_not_allowed. */
export function rotateForSupport(ctx: PlansContext, { planId, reason }: { planId: string; reason: string }): Promise<string> {
  const words = checkReason(reason);
  return inTransaction(ctx, async (tx) => {
    const plan = await lockPlanOfAny(tx.em, planId);
    refuseOwnAccount(tx, plan.accountId);
    requirePlanAction('set_credentials', plan, tx.clock.now());
    setPassword(tx, plan, newPassword());
    const { name } = staticProduct(tx.providers.products, plan.productId);
    const data = { title: name, reason: words, by: accountOf(tx) };
    await appendEvents(tx.em, {
      type: 'static_plan.credentials_changed',
      at: tx.clock.now(),
      accountId: plan.accountId,
      subject: planId,
      data,
    });
    return planId;
  });
}

/** Sets credentials that the owner has chosen; what is absent stays as it is. Errors: plan_not_found, action_not_allowed, parameter_invalid. */
export const setCredentials = (
  ctx: PlansContext,
  { id, username, password }: { id: string; username?: string | null | undefined; password?: string | null | undefined },
): Promise<string> =>
  changePlan(ctx, id, 'set_credentials', async (tx, plan): Promise<PlanFact> => {
    if (username != null && username !== plan.username) {
      checkUsername(username);
      if (await isUsernameTaken(tx.em, username)) throw fail('parameter_invalid', { field: 'username', reason: because('username_taken') });
      plan.username = username;
    }
    if (password != null) {
      checkPassword(password);
      setPassword(tx, plan, password);
    }
    return 'static_plan.credentials_changed';
  });

/**
 * Sets the client addresses from which the lines may be used, with the password; an empty list allows all. Errors: plan_not_found, action_not_allowed,
 * parameter_invalid.
 */
export const setAllowedAddresses = (ctx: PlansContext, id: string, addresses: readonly string[]): Promise<string> =>
  changePlan(ctx, id, 'set_allowed_addresses', (_, plan) => {
    plan.allowedAddresses = toAllowedAddresses(addresses);
    return 'static_plan.changed';
  });

/** Sets whether failing addresses are replaced automatically. Errors: plan_not_found, action_not_allowed. */
export const setAutoReplace = (ctx: PlansContext, id: string, autoReplace: boolean): Promise<string> =>
  changePlan(ctx, id, 'set_auto_replace', (_, plan) => {
    plan.autoReplace = autoReplace;
    return 'static_plan.changed';
  });

/** Labels one of the plan's addresses; an empty label removes it. Errors: plan_not_found, action_not_allowed, parameter_invalid. */
export const setLabel = (
  ctx: PlansContext,
  { id, ip, label }: { id: string; ip: string; label?: string | null | undefined },
): Promise<string> =>
  changePlan(ctx, id, 'set_label', async ({ em }): Promise<PlanFact> => {
    if (!(await labelAddress(em, id, ip, toLabel(label))))
      throw fail('parameter_invalid', { field: 'ip', reason: because('plan_address_unknown') });
    return 'static_plan.changed';
  });
