import { DAY, after, toDay } from '#platform/clock.ts';
import { builder } from '../../builder.ts';
import { HISTORY_DAYS, HTTPS_PROBLEMS, type HealthProblem } from '../../health/domain/health.ts';
import { type HealthDay, healthDaysOf } from '../../health/entities/health.ts';
import type { Outage } from '../../health/entities/outage.ts';
import { secureSocket } from '../domain/line-text.ts';
import type { PlanAddress } from '../entities/plan-address.ts';

const StaticHealthStatus = builder.enumType('StaticHealthStatus', { values: ['UNKNOWN', 'WORKING', 'FAILING'] as const });
const PROBLEMS = ['UNREACHABLE', 'REFUSED', 'WRONG_EXIT', 'TOO_SLOW'] as const satisfies HealthProblem[];
const StaticHealthProblem = builder.enumType('StaticHealthProblem', { values: PROBLEMS });

const StaticHttpsProblem = builder.enumType('StaticHttpsProblem', { values: HTTPS_PROBLEMS });

const StaticHealthDay = builder.objectRef<HealthDay>('StaticHealthDay').implement({
  fields: (t) => ({
    day: t.exposeString('day'),
    checks: t.exposeInt('checks'),
    failures: t.exposeInt('failures'),
    latencyMs: t.exposeInt('latencyMs', { nullable: true }),
    latencyMsMax: t.exposeInt('latencyMsMax'),
  }),
});

export const StaticOutage = builder.objectRef<Outage>('StaticOutage').implement({
  fields: (t) => ({
    ip: t.exposeString('ip'),
    problem: t.field({ type: StaticHealthProblem, resolve: ({ problem }) => problem }),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', nullable: true }),
  }),
});

/** An address with the credentials of its plan, which end its line. */
export type LineShape = PlanAddress & { credentials: string };

const isProblem = (value: string | null): value is HealthProblem => (PROBLEMS as readonly (string | null)[]).includes(value);

export const StaticLine = builder.objectRef<LineShape>('StaticLine').implement({
  fields: (t) => ({
    ip: t.exposeString('ip'),
    port: t.exposeInt('port'),
    location: t.exposeString('location'),
    label: t.exposeString('label', { nullable: true }),
    line: t.string({ resolve: ({ ip, port, credentials }) => `${ip}:${port}:${credentials}` }),
    httpsLine: t.string({
      nullable: true,
      resolve: ({ ip, credentials }, _args, { providers: { secure } }) => secure && `${secureSocket(secure, ip)}:${credentials}`,
    }),
    health: t.field({
      type: StaticHealthStatus,
      resolve: ({ checkedAt, problem }) => (checkedAt === null ? 'UNKNOWN' : problem === null ? 'WORKING' : 'FAILING'),
    }),
    problem: t.field({
      type: StaticHealthProblem,
      nullable: true,
      resolve: ({ problem }) => (isProblem(problem) ? problem : null),
    }),
    httpsProblem: t.expose('httpsProblem', { type: StaticHttpsProblem, nullable: true }),
    failingSince: t.expose('failingSince', { type: 'DateTime', nullable: true }),
    checkedAt: t.expose('checkedAt', { type: 'DateTime', nullable: true }),
    latencyMs: t.exposeInt('latencyMs', { nullable: true }),
    days: t.loadableList({
      type: StaticHealthDay,
      resolve: (line) => line,
      async load(lines: LineShape[], { em, clock }) {
        const first = toDay(after(clock.now(), (1 - HISTORY_DAYS) * DAY));
        const days = Map.groupBy(
          await healthDaysOf(em, [...new Set(lines.map(({ planId }) => planId))], first),
          ({ addressId }) => addressId,
        );
        return lines.map(({ addressId }) => days.get(addressId) ?? []);
      },
    }),
  }),
});
