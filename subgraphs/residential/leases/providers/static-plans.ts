// Static plans for nodes that were given residential's address alone while static runs in a process of its own: for this release their question is
// passed on as it is, shown there as a node's. Nodes that know static's address (PLATFORM_STATIC_URL) ask it themselves, and then this goes.
import type { Notifications } from '#platform/notifications.ts';
import { askStaticPlans, createEdgeClient } from '../../../../edge/protocol/client.ts';
import { STATIC_LINES_CHANNEL, type StaticPlansControl } from '../../../../edge/protocol/control-parts.ts';
import type { EdgePasses } from '../../../../edge/protocol/passes.ts';

export interface PassedOnOptions {
  /** Where static answers, as SUBGRAPH_URLS names it; undefined: there are no static plans. */
  url: string | undefined;
  passes: EdgePasses;
  notifications: Notifications;
}

export function passedOnStaticPlans({ url, passes, notifications }: PassedOnOptions): StaticPlansControl {
  if (url === undefined) return { staticPlans: async () => [], follow: async () => () => {} };
  const client = createEdgeClient({ url, token: () => passes.give('residential').pass });
  return {
    staticPlans: (ids) => askStaticPlans(client, ids),
    follow: (changed) => notifications.listen(STATIC_LINES_CHANNEL, changed),
  };
}
