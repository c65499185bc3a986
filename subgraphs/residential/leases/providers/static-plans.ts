// Static plans for nodes that ask residential's own address while static runs in a process of its own: their question is passed on as it is, shown
// there as a node's. Those that ask a gateway are sent to static by it, and need here only the news that there is something to ask.
import type { Notifications } from '#platform/notifications.ts';
import { askStaticPlans, createEdgeClient } from '../../../../edge/protocol/client.ts';
import { STATIC_LINES_CHANNEL, type StaticPlansControl } from '../../../../edge/protocol/control-parts.ts';
import type { EdgePasses } from '../../../../edge/protocol/passes.ts';

export interface PassedOnOptions {
  /** Where static answers, as SUBGRAPH_URLS names it; undefined: residential itself knows of no static plans. */
  url: string | undefined;
  passes: EdgePasses;
  notifications: Notifications;
}

export function passedOnStaticPlans({ url, passes, notifications }: PassedOnOptions): StaticPlansControl {
  const client = url === undefined ? undefined : createEdgeClient({ url, token: () => passes.give('residential').pass });
  return {
    staticPlans: async (ids) => (client ? askStaticPlans(client, ids) : []),
    follow: (changed) => notifications.listen(STATIC_LINES_CHANNEL, changed),
  };
}
