// The residential plans of the account, for assistants that name one wrongly, or only begin to.
import type { ReadyEndpoint } from '../service.ts';
import { type McpCaller, sameName } from './caller.ts';

export interface OwnPlan {
  product_id: string;
  product_name: string;
  status: string;
}

export type OwnPlans = (caller: Pick<McpCaller, 'viewer' | 'signal'>) => Promise<readonly OwnPlan[]>;

/** Rejects with the failures of the tool `list_residential_plans`. */
export const ownPlansOf =
  (endpoints: readonly ReadyEndpoint[]): OwnPlans =>
  async ({ viewer, signal }) => {
    const list = endpoints.find(({ endpoint }) => endpoint.tool === 'list_residential_plans');
    if (!list) throw new Error('there is no list of plans');
    const { data } = await list.call({ raw: {}, fieldName: sameName, viewer, signal });
    return (data as { plans: OwnPlan[] }).plans;
  };
