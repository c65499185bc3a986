// Printed by `npm run client` from the endpoint objects; not edited by hand.
import type { Call, CallOptions } from '../call.ts';
import { eachItem } from '../paging.ts';

export interface StaticPlan {
  /** Plan identifier. */
  _id: string;
  /** Plan status. */
  status: 'PENDING' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';
  /** Number of proxies in the plan. */
  quantity: number;
  /** IP:PORT:USER:PASS; empty until the plan is delivered. With protocol=https the first part is the host that the certificate names. */
  proxies: string[];
}

export interface ListStaticPlansData {
  plans: StaticPlan[];
  /** Number of plans on all pages. */
  total: number;
  currentPage: number;
  totalPages: number;
}

export interface ListStaticPlansInput {
  /** isp: ISP proxies. dc: datacenter proxies. */
  productType: 'isp' | 'dc';
  /** Page number; a page past the end is empty. Default: 1. */
  page?: number;
  /** Results per page. Default: 25. */
  limit?: number;
  /** Only plans of this product of the catalogue. */
  productId?: string;
  /** http: lines for HTTP and SOCKS5. https: lines of HTTP proxies over TLS, where they are offered. Default: http. */
  protocol?: 'http' | 'https';
}

export const staticMethods = (call: Call) => ({
  /** Lists the ISP and datacenter plans of the account with their proxy lines, newest first. Scope of the key: `read`. */
  listStaticPlans: (input: ListStaticPlansInput, options?: CallOptions): Promise<ListStaticPlansData> =>
    call<ListStaticPlansData>({ method: 'GET', path: '/v1/static/{productType}' }, input, options),
  /** All that `listStaticPlans` has, page after page. */
  eachStaticPlan: (input: ListStaticPlansInput, options?: CallOptions): AsyncGenerator<StaticPlan> =>
    eachItem<StaticPlan>(
      call, { method: 'GET', path: '/v1/static/{productType}' },
      { by: 'page', list: 'plans' }, input, options,
    ),
});
