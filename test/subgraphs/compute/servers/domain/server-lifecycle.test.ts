import { describe, expect, test } from 'vitest';
import { next } from '#platform/lifecycle.ts';
import {
  POWER_STATES,
  type ServerFacts,
  availableActions,
  mustAllow,
} from '../../../../../subgraphs/compute/servers/domain/server-action.ts';
import {
  DEDICATED_LIFECYCLE,
  DEDICATED_STATUSES,
  type ServerEvent,
  VPS_LIFECYCLE,
  VPS_STATUSES,
} from '../../../../../subgraphs/compute/servers/domain/server-lifecycle.ts';
import { matrixOf } from '../../../../kit/matrix.ts';

const EVENTS: ServerEvent[] = [
  'provisioned',
  'refunded',
  'upgraded',
  'reinstall_started',
  'reinstall_completed',
  'reinstall_given_up',
  'retries_exhausted',
  'paid',
  'grace_over',
  'period_ended',
];

test('the states of a VPS under every event', () => {
  expect(matrixOf(VPS_STATUSES, EVENTS, (status, event) => next(VPS_LIFECYCLE, status, event))).toBe(`
                      BUILDING  ACTIVE     SUSPENDED  REMOVED
provisioned           ACTIVE    .          .          .
refunded              REMOVED   .          .          .
upgraded              .         ACTIVE     .          .
reinstall_started     .         .          .          .
reinstall_completed   .         .          .          .
reinstall_given_up    .         .          .          .
retries_exhausted     .         SUSPENDED  .          .
paid                  .         .          ACTIVE     .
grace_over            .         .          REMOVED    .
period_ended          .         REMOVED    REMOVED    .
`);
});

test('the states of a dedicated server under every event', () => {
  expect(matrixOf(DEDICATED_STATUSES, EVENTS, (status, event) => next(DEDICATED_LIFECYCLE, status, event))).toBe(`
                      PROVISIONING    ACTIVE          REINSTALLING    SUSPENDED       DECOMMISSIONED
provisioned           ACTIVE          .               .               .               .
refunded              DECOMMISSIONED  .               .               .               .
upgraded              .               .               .               .               .
reinstall_started     .               REINSTALLING    .               .               .
reinstall_completed   .               .               ACTIVE          .               .
reinstall_given_up    .               .               ACTIVE          .               .
retries_exhausted     .               SUSPENDED       SUSPENDED       .               .
paid                  .               .               .               ACTIVE          .
grace_over            .               .               .               DECOMMISSIONED  .
period_ended          .               DECOMMISSIONED  DECOMMISSIONED  DECOMMISSIONED  .
`);
});

describe('what an owner may ask', () => {
  const facts = (over: Partial<ServerFacts> = {}): ServerFacts => ({
    kind: 'VPS',
    status: 'ACTIVE',
    powerState: 'RUNNING',
    cancelAtPeriodEnd: false,
    ...over,
  });
  const may = (over: Partial<ServerFacts>, action: string) => {
    const verdict = availableActions(facts(over)).find((row) => row.action === action);
    return verdict?.allowed ? 'yes' : undefined;
  };

  test('of an active VPS, by its power state', () => {
    const actions = availableActions(facts()).map(({ action }) => action);
    expect(matrixOf(POWER_STATES, actions, (powerState, action) => may({ powerState }, action))).toBe(`
                   RUNNING  STOPPED  STARTING  STOPPING  RESTARTING  UNKNOWN
start              .        yes      .         .         .           .
reboot             yes      .        .         .         .           .
stop               yes      .        .         .         .           .
force_stop         yes      .        yes       yes       yes         yes
reset_password     yes      .        .         .         .           .
open_console       yes      .        yes       yes       yes         .
upgrade            yes      yes      yes       yes       yes         yes
add_ipv4           yes      yes      yes       yes       yes         yes
enable_backups     yes      yes      yes       yes       yes         yes
take_backup        .        .        .         .         .           .
restore            yes      yes      yes       yes       yes         yes
reinstall          yes      yes      yes       yes       yes         yes
rescue             yes      yes      yes       yes       yes         yes
leave_rescue       .        .        .         .         .           .
set_reverse_name   yes      yes      yes       yes       yes         yes
set_firewall       yes      yes      yes       yes       yes         yes
cancel             yes      yes      yes       yes       yes         yes
`);
  });

  test('of a running VPS, by its status', () => {
    const actions = availableActions(facts()).map(({ action }) => action);
    expect(matrixOf(VPS_STATUSES, actions, (status, action) => may({ status }, action))).toBe(`
                   BUILDING  ACTIVE  SUSPENDED  REMOVED
start              .         .       .          .
reboot             .         yes     .          .
stop               .         yes     .          .
force_stop         .         yes     .          .
reset_password     .         yes     .          .
open_console       .         yes     .          .
upgrade            .         yes     .          .
add_ipv4           .         yes     .          .
enable_backups     .         yes     .          .
take_backup        .         .       .          .
restore            .         yes     .          .
reinstall          .         yes     .          .
rescue             .         yes     .          .
leave_rescue       .         .       .          .
set_reverse_name   .         yes     .          .
set_firewall       .         yes     .          .
cancel             .         yes     yes        .
`);
  });

  test('of a running dedicated server, by its status', () => {
    const actions = availableActions(facts({ kind: 'DEDICATED' })).map(({ action }) => action);
    expect(matrixOf(DEDICATED_STATUSES, actions, (status, action) => may({ kind: 'DEDICATED', status }, action))).toBe(`
                   PROVISIONING  ACTIVE  REINSTALLING  SUSPENDED  DECOMMISSIONED
start              .             .       .             .          .
reboot             .             yes     .             .          .
stop               .             yes     .             .          .
force_stop         .             yes     .             .          .
reset_password     .             yes     .             .          .
open_console       .             yes     .             .          .
reinstall          .             yes     .             .          .
rescue             .             yes     .             .          .
leave_rescue       .             .       .             .          .
set_reverse_name   .             yes     .             .          .
set_firewall       .             yes     .             .          .
cancel             .             yes     yes           yes        .
`);
  });

  test('nothing that costs or repeats the cancellation, once cancelled; all the rest as before', () => {
    const changed = availableActions(facts()).filter(
      ({ action, allowed }) => allowed && may({ cancelAtPeriodEnd: true }, action) === undefined,
    );
    expect(changed.map(({ action }) => action)).toEqual(['upgrade', 'add_ipv4', 'enable_backups', 'cancel']);
  });

  test('only what does not disturb another action that is under way', () => {
    const left = availableActions(facts()).filter(({ action, allowed }) => allowed && may({ busy: true }, action) === 'yes');
    expect(left.map(({ action }) => action)).toEqual([
      ...['force_stop', 'open_console', 'enable_backups', 'set_reverse_name', 'set_firewall', 'cancel'],
    ]);
  });

  test.each([
    [{ powerState: 'STOPPED' }, 'reboot', 'The server must be running; it is stopped.'],
    [{ powerState: 'STOPPED' }, 'force_stop', 'The server must be powered on; it is stopped.'],
    [{ powerState: 'RUNNING' }, 'start', 'The server must be stopped; it is running.'],
    [{ status: 'BUILDING' }, 'start', 'The server is still being built.'],
    [{ kind: 'DEDICATED', status: 'PROVISIONING' }, 'reinstall', 'The server is still being provisioned.'],
    [{ status: 'SUSPENDED' }, 'upgrade', 'The server is suspended: pay the open invoice first.'],
    [{ cancelAtPeriodEnd: true }, 'upgrade', 'The server is cancelled to the end of its period.'],
    [{ busy: true, whole: true }, 'force_stop', 'What is under way must come to its end: half of it would leave a broken machine.'],
    [{ backups: true }, 'enable_backups', 'Weekly backups are bought already.'],
    [
      { kind: 'DEDICATED', unguarded: true },
      'set_firewall',
      'There is no firewall of ours in front of this server: set rules in its operating system.',
    ],
    [{ protected: true }, 'restore', 'The server is protected: lift its protection first.'],
    [{ busy: true }, 'stop', 'Another action of this server is still under way.'],
    [{ kind: 'DEDICATED' }, 'restore', 'This kind of server does not have this action.'],
  ] as [Partial<ServerFacts>, Parameters<typeof mustAllow>[0], string][])('%o refuses %s: %s', (over, action, reason) => {
    expect(() => mustAllow(action, facts(over))).toThrow(expect.objectContaining({ code: 'action_not_allowed', message: reason }));
  });

  test('what is allowed passes', () => {
    expect(() => mustAllow('reboot', facts())).not.toThrow();
    expect(availableActions(facts()).find(({ action }) => action === 'reboot')).toEqual({ action: 'reboot', allowed: true, reason: null });
  });
});
