// Static plans for nodes that call residential's own address while static runs in a process of its own: their requests are passed on, with a pass that shows
// them as a node's. A gateway forwards such requests to static itself; its nodes need here only the notices of changes.
import type { Notifications } from '#platform/notifications.ts';
import { askStaticPlans, tellStaticNetworks, createEdgeClient } from '../../../../edge/protocol/client.ts';
import { STATIC_LINES_CHANNEL, type StaticPlansControl } from '../../../../edge/protocol/control-parts.ts';
import type { EdgePasses } from '../../../../edge/protocol/passes.ts';

export interface PassedOnOptions {
  /** The address of static, from SUBGRAPH_URLS; undefined: residential answers that there are no static plans. */
  url: string | undefined;
  passes: EdgePasses;
  notifications: Notifications;
}

export function passedOnStaticPlans({ url, passes, notifications }: PassedOnOptions): StaticPlansControl {
  const client = url === undefined ? undefined : createEdgeClient({ url, token: () => passes.give('residential').pass });
  return {
    networksUsed: async (ids) => client && tellStaticNetworks(client, ids),
    staticPlans: async (ids) => (client ? askStaticPlans(client, ids) : []),
    follow: (changed) => notifications.listen(STATIC_LINES_CHANNEL, changed),
  };
}
