// A collector in a child process: ingests what its parent sends and reports when it is durable. It may be killed at any moment.
import { openResidential } from '../../bench/metering/residential.ts';
import { receiveUsageReport } from '../../../subgraphs/residential/metering/services/receive-usage-report.ts';
import { type Delivery, type Network, lineOf } from './reports.ts';

const { url, dataDir, network } = JSON.parse(process.env['COLLECTOR'] ?? '{}') as {
  url: string;
  dataDir: string;
  network: Omit<Network, 'now'> & { now: string };
};
const told: Network = { ...network, now: new Date(network.now) };

const residential = await openResidential(url, dataDir);
process.on('message', ({ id, report, lines }: Delivery & { id: number }) => {
  const given = { source: 'prove', reportId: `report-${report}`, lines: lines.map((line) => lineOf(told, report, line)) };
  receiveUsageReport(residential.context(), given).then(
    () => process.send?.({ id, done: true }),
    () => process.send?.({ id, done: false }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
