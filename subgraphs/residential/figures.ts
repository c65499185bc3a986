// Figures for Prometheus: plans, reports of networks, proxy nodes.
import { ageSeconds } from '#platform/figures.ts';
import { PRODUCT_CODES } from '../../edge/protocol/product.ts';
import type { RoomFigures } from '#platform/subgraph.ts';
import { exitsByPlace } from './edges/domain/exits-by-place.ts';
import { REPORT_HOLDS_MS, servedPlaces } from './edges/domain/place-quality.ts';
import { edgeRows, reportedQualities } from './edges/entities/edge-desk.ts';
import { openLeases } from './leases/entities/lease-figures.ts';
import { countHeldLines } from './metering/entities/usage-quarantine.ts';
import { livingPlans } from './plans/entities/plan-counts.ts';

const plans: RoomFigures = {
  gauges: {
    egress_residential_plans: ['Plans that are not used up', 'product', 'status'],
    egress_residential_sold_bytes: ['What was sold with these plans', 'product'],
    egress_residential_used_bytes: ['What of it is used', 'product'],
    egress_usage_held_lines: ['Reported lines that no plan can have carried, which wait for a person', 'source'],
  },
  read: async ({ em }) => {
    const rows = await livingPlans(em);
    const ofProduct = (product: string, bytes: 'soldBytes' | 'usedBytes') =>
      rows.filter((row) => row.product === product).reduce((sum, row) => sum + row[bytes], 0);
    return [
      ...rows.map(({ product, status, plans: value }) => ({ gauge: 'egress_residential_plans', labels: { product, status }, value })),
      ...[...new Set(rows.map(({ product }) => product))].flatMap((product) => [
        { gauge: 'egress_residential_sold_bytes', labels: { product }, value: ofProduct(product, 'soldBytes') },
        { gauge: 'egress_residential_used_bytes', labels: { product }, value: ofProduct(product, 'usedBytes') },
      ]),
      ...(await countHeldLines(em)).map(({ source, lines }) => ({ gauge: 'egress_usage_held_lines', labels: { source }, value: lines })),
    ];
  },
};

const nodes: RoomFigures = {
  gauges: {
    egress_node_seen_seconds: ['How long ago a proxy node that is not revoked was heard of', 'node'],
    egress_node_today_bytes: ['What a node has settled since 00:00 UTC', 'node'],
  },
  read: async ({ em, now }) =>
    (await edgeRows(em, now))
      .filter(({ revokedAt }) => revokedAt === null)
      .flatMap(({ id: node, seenAt, enrolledAt, todayBytes }) => [
        { gauge: 'egress_node_seen_seconds', labels: { node }, value: ageSeconds(seenAt ?? enrolledAt, now) },
        { gauge: 'egress_node_today_bytes', labels: { node }, value: Number(todayBytes) },
      ]),
};

const leases: RoomFigures = {
  gauges: {
    egress_leases_open: ['Slices of allowances that a node holds', 'node'],
    egress_leases_held_bytes: ['What of them is not used yet', 'node'],
    egress_leases_overdue: ['Slices past their end that a node has not given back', 'node'],
  },
  read: async ({ em, now }) =>
    (await openLeases(em, now)).flatMap(({ node, leases: open, heldBytes, overdue }) => [
      { gauge: 'egress_leases_open', labels: { node }, value: open },
      { gauge: 'egress_leases_held_bytes', labels: { node }, value: heldBytes },
      { gauge: 'egress_leases_overdue', labels: { node }, value: overdue },
    ]),
};

const exits: RoomFigures = {
  gauges: {
    egress_exit_opened: ['Connections that exits opened since their node was started, by country and carrier', 'country', 'carrier'],
    egress_exit_faults: ['Connections that failed by the fault of the exit, since its node was started', 'country', 'carrier'],
    egress_exits_out: ['Exits that nodes have taken out', 'country', 'carrier'],
  },
  read: async ({ em, now }) =>
    exitsByPlace(await edgeRows(em, now)).flatMap(({ opened, faults, out, ...labels }) => [
      { gauge: 'egress_exit_opened', labels, value: opened },
      { gauge: 'egress_exit_faults', labels, value: faults },
      { gauge: 'egress_exits_out', labels, value: out },
    ]),
};

const places: RoomFigures = {
  gauges: {
    egress_place_success_ratio: [
      'Connections that were opened, of those that exits could open, within the last hour',
      'product',
      'country',
    ],
    egress_place_first_byte_seconds: ['The median until the first byte of a target within the last hour', 'product', 'country'],
    egress_place_connections: ['What both are made of', 'product', 'country'],
  },
  read: async ({ em, now }) => {
    const reported = await reportedQualities(em, new Date(now.getTime() - REPORT_HOLDS_MS));
    return PRODUCT_CODES.flatMap((product) =>
      servedPlaces(reported, product)
        .filter(({ state, city }) => state === null && city === null)
        .flatMap(({ country, successRate, firstByteMs, connections }) => [
          { gauge: 'egress_place_success_ratio', labels: { product, country }, value: successRate },
          ...(firstByteMs === null
            ? []
            : [{ gauge: 'egress_place_first_byte_seconds', labels: { product, country }, value: firstByteMs / 1_000 }]),
          { gauge: 'egress_place_connections', labels: { product, country }, value: connections },
        ]),
    );
  },
};

export const figures = [plans, nodes, leases, exits, places];
