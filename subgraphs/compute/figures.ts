// Figures for Prometheus: servers, operations on them, and machines that can be sold.
import { ageSeconds } from '#platform/figures.ts';
import type { RoomFigures } from '#platform/subgraph.ts';
import { stockOf } from './machines/entities/bare-metal.ts';
import { runningOperations } from './operations/entities/operation-figures.ts';
import { livingServers } from './servers/entities/server-figures.ts';

const servers: RoomFigures = {
  gauges: {
    egress_servers: ['Servers that are not removed', 'kind', 'plan', 'status'],
    egress_machines_free: ['Machines of a dedicated plan that can be sold now', 'plan'],
    egress_operations_running: ['Operations on servers that are under way', 'command'],
    egress_operations_troubled: ['Operations whose last try met trouble', 'command'],
    egress_operation_seconds: ['How long the oldest operation has run', 'command'],
  },
  read: async ({ em, now }) => [
    ...(await livingServers(em)).map(({ servers: value, ...labels }) => ({ gauge: 'egress_servers', labels, value })),
    ...[...(await stockOf(em, now))].map(([plan, value]) => ({ gauge: 'egress_machines_free', labels: { plan }, value })),
    ...(await runningOperations(em)).flatMap(({ command, operations, troubled, oldest }) => [
      { gauge: 'egress_operations_running', labels: { command }, value: operations },
      { gauge: 'egress_operations_troubled', labels: { command }, value: troubled },
      { gauge: 'egress_operation_seconds', labels: { command }, value: ageSeconds(oldest, now) },
    ]),
  ],
};

export const figures = [servers];
