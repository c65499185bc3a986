// What the workers of a node tell, as one node's figures and status.
import { MAX_STATUS_PLACES, type EdgeStatus, type ExitStatus, type PlaceStatus } from './protocol/control-plane.ts';
import type { EdgeFigures } from './edge-figures.ts';
import { foremost } from './edge-status.ts';
import { byPlace, foremostPlaces } from './protocol/place-quality.ts';

const NOTHING: EdgeFigures = {
  connections: 0,
  plans: 0,
  tunnels: 0,
  sessions: 0,
  exits: 0,
  healthyExits: 0,
  exchanges: 0,
  failedExchanges: 0,
  listedTargets: 0,
  listedRefusals: 0,
  blocklistFailures: 0,
  upBytes: 0,
  downBytes: 0,
  staticLines: 0,
};
/** Every worker has the same exits, static lines and block lists, so these are not added up. */
const COMMON = new Set<keyof EdgeFigures>(['exits', 'healthyExits', 'staticLines', 'listedTargets']);

export function sumFigures(all: readonly EdgeFigures[]): EdgeFigures {
  const total = { ...NOTHING };
  for (const figures of all)
    for (const name of Object.keys(NOTHING) as (keyof EdgeFigures)[])
      total[name] = COMMON.has(name) ? Math.max(total[name], figures[name]) : total[name] + figures[name];
  return total;
}

function sumPlaces(all: readonly PlaceStatus[]): PlaceStatus[] {
  const places = new Map<string, PlaceStatus>();
  for (const one of all) {
    const known = places.get(one.place);
    if (!known) places.set(one.place, one);
    else
      places.set(one.place, {
        place: one.place,
        opened: one.opened + known.opened,
        faults: one.faults + known.faults,
        misplaced: one.misplaced + known.misplaced,
        out: one.out || known.out,
      });
  }
  return [...places.values()].slice(0, MAX_STATUS_PLACES);
}

/** Combines the workers' reports into one; before the first of them all counts are 0. Several workers know the same plans and sessions, so the highest number is used instead of the sum. */
export function asOne(all: readonly EdgeStatus[]): EdgeStatus {
  const sum = (of: (status: EdgeStatus) => number) => all.reduce((total, status) => total + of(status), 0);
  const max = (of: (status: EdgeStatus) => number) => Math.max(0, ...all.map(of));
  const refusals: Record<string, number> = {};
  const exits = new Map<string, ExitStatus>();
  for (const status of all) {
    for (const [code, count] of Object.entries(status.refusals)) refusals[code] = (refusals[code] ?? 0) + count;
    for (const exit of status.exits) {
      const known = exits.get(exit.id);
      exits.set(exit.id, {
        ...exit,
        healthy: exit.healthy && (known?.healthy ?? true),
        connections: exit.connections + (known?.connections ?? 0),
        opened: exit.opened + (known?.opened ?? 0),
        faults: exit.faults + (known?.faults ?? 0),
        trouble: exit.trouble ?? known?.trouble,
        places: exit.places && sumPlaces([...exit.places, ...(known?.places ?? [])]),
      });
    }
  }
  return {
    version: all[0]?.version ?? 'unknown',
    endpoints: all[0]?.endpoints ?? [],
    uptimeMs: max(({ uptimeMs }) => uptimeMs),
    connections: sum(({ connections }) => connections),
    tunnels: sum(({ tunnels }) => tunnels),
    plans: max(({ plans }) => plans),
    sessions: max(({ sessions }) => sessions),
    upBytes: sum(({ upBytes }) => upBytes),
    downBytes: sum(({ downBytes }) => downBytes),
    ledgerFailures: sum(({ ledgerFailures }) => ledgerFailures),
    staticLines: max(({ staticLines }) => staticLines),
    refusals,
    exitCount: max(({ exitCount }) => exitCount),
    healthyExitCount: all.length === 0 ? 0 : Math.min(...all.map(({ healthyExitCount }) => healthyExitCount)),
    exits: foremost([...exits.values()]),
    networksUsed: [...new Set(all.flatMap(({ networksUsed = [] }) => networksUsed))],
    staticNetworksUsed: [...new Set(all.flatMap(({ staticNetworksUsed = [] }) => staticNetworksUsed))],
    qualities: foremostPlaces(byPlace(all.flatMap(({ qualities = [] }) => qualities))),
  };
}
