// A node's metrics for Prometheus.
import { Gauge, type Registry } from 'prom-client';
import type { EdgeFigures } from './edge-figures.ts';

const GAUGES: Record<keyof EdgeFigures, [name: string, help: string]> = {
  connections: ['egress_edge_connections', 'Open connections of customers'],
  plans: ['egress_edge_plans', 'Plans that the node knows'],
  tunnels: ['egress_edge_tunnels', 'Open tunnels and exchanges'],
  sessions: ['egress_edge_sessions', 'Sticky sessions alive'],
  exits: ['egress_edge_exits', 'Configured exits'],
  healthyExits: ['egress_edge_exits_healthy', 'Exits in use'],
  exchanges: ['egress_edge_ledger_exchanges', 'Exchanges with the ledger since the start'],
  upBytes: ['egress_edge_up_bytes', 'Bytes from customers since the start'],
  downBytes: ['egress_edge_down_bytes', 'Bytes to customers since the start'],
  staticLines: ['egress_edge_static_lines', 'Static addresses that are served'],
  failedExchanges: ['egress_edge_ledger_failures', 'Exchanges that failed since the start'],
  listedTargets: ['egress_edge_blocklist_targets', 'Names and networks on block lists'],
  listedRefusals: ['egress_edge_blocklist_refusals', 'Connections refused for a block list since the start'],
  blocklistFailures: ['egress_edge_blocklist_failures', 'Block lists that could not be read since the start'],
};

/** On nodes with TLS ports: when the certificate ends, where there is one, and how many orders of one have failed; throws while a file cannot be read. */
export type CertificateLook = () => { ends: Date | undefined; failures?: number };

export function registerEdgeMetrics(registry: Registry, edge: { figures(): EdgeFigures }, lookAtCertificate?: CertificateLook): void {
  const certificate = new Gauge({
    name: 'egress_edge_certificate_end_seconds',
    help: 'When the certificate of the TLS ports ends, as a unix time; none without such ports',
    registers: [registry],
    collect() {
      this.remove();
      const ends = lookAtCertificate?.().ends;
      if (ends) this.set(ends.getTime() / 1_000);
    },
  });
  certificate.remove();
  const orders = new Gauge({
    name: 'egress_edge_certificate_failures',
    help: 'Orders of the certificate by ACME that have failed since the last that succeeded; none on nodes that order none',
    registers: [registry],
    collect() {
      this.remove();
      const failures = lookAtCertificate?.().failures;
      if (failures !== undefined) this.set(failures);
    },
  });
  orders.remove();
  for (const [figure, [name, help]] of Object.entries(GAUGES)) {
    const gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(edge.figures()[figure as keyof EdgeFigures]);
      },
    });
    gauge.set(0);
  }
}
