// What is wrong with a static line as its owner has it, without sending anything: whose it is, its address, port, password, and the state of its plan.
import { createHash } from 'node:crypto';
import { type ProxyLine, PROTOCOL_OF_SCHEME, readProxyLine } from '#lines/read-proxy-line.ts';
import type { SentLine } from '#lines/line-sender.ts';
import { accountOf } from '#platform/context.ts';
import { type Reason, because } from '#platform/errors.ts';
import { mayReach } from '#platform/identity.ts';
import { unseal } from '#platform/sealing.ts';
import { secureSocket } from '../domain/line-text.ts';
import { type PlanAddress, addressesOfPlans } from '../entities/plan-address.ts';
import { type StaticPlan, ownPlanByUsername } from '../entities/static-plan.ts';
import type { PlansContext } from '../context.ts';

export const STATIC_LINE_PROBLEMS = [
  'UNREADABLE',
  'USERNAME_UNKNOWN',
  'ADDRESS_UNKNOWN',
  'PORT_WRONG',
  'PASSWORD_OLD',
  'PASSWORD_WRONG',
  'SUSPENDED',
  'ENDED',
] as const;

export interface StaticLineProblem {
  code: (typeof STATIC_LINE_PROBLEMS)[number];
  reason: Reason;
}

export interface StaticLineCheck {
  planId: string | null;
  /** The address of the plan that the line leads to; null: it leads to none. */
  address: PlanAddress | null;
  /** Empty: the line is in order. */
  problems: StaticLineProblem[];
  /** The line as it is sent. Null: there is no proxy of ours in it, or nobody whom that would let in. */
  sendable: SentLine | null;
}

export async function checkStaticLine(ctx: PlansContext, typed: string): Promise<StaticLineCheck> {
  const accountId = accountOf(ctx);
  const nothing = (code: StaticLineProblem['code'], reason: Reason): StaticLineCheck => ({
    planId: null,
    address: null,
    problems: [{ code, reason }],
    sendable: null,
  });
  const line = readProxyLine(typed);
  if (!line) return nothing('UNREADABLE', because('line_unreadable'));
  const plan = await ownPlanByUsername(ctx.em, accountId, line.username);
  if (!plan || !mayReach(ctx.viewer, plan.id)) return nothing('USERNAME_UNKNOWN', because('static_line_username_unknown'));
  const addresses = await addressesOfPlans(ctx.em, [plan.id]);
  const { secure } = ctx.providers;
  const address = addresses.find(({ ip }) => line.host === ip || (secure && secureSocket(secure, ip) === `${line.host}:${secure.port}`));
  const ports = address ? [address.port, ...(secure ? [secure.port] : [])] : [];
  const unsent: StaticLineProblem[] = [
    ...(address ? [] : [{ code: 'ADDRESS_UNKNOWN' as const, reason: because('static_line_address_unknown', { host: line.host }) }]),
    ...(address && !ports.includes(line.port)
      ? [{ code: 'PORT_WRONG' as const, reason: because('static_line_port_wrong', { ports: ports.join(', ') }) }]
      : []),
    ...passwordProblems(ctx, plan, line.password),
  ];
  return {
    planId: plan.id,
    address: address ?? null,
    problems: [...unsent, ...statusProblems(plan)],
    sendable: unsent.length === 0 ? sentLine(line, secure?.port) : null,
  };
}

/** As the line says, or as its port is for. */
function sentLine({ scheme, ...line }: ProxyLine, securePort: number | undefined): SentLine {
  return { ...line, protocol: scheme === null ? (line.port === securePort ? 'HTTPS' : 'HTTP') : PROTOCOL_OF_SCHEME[scheme] };
}

const fingerprint = (password: string): string => createHash('sha256').update(password).digest('hex');

function passwordProblems({ providers }: PlansContext, plan: StaticPlan, password: string): StaticLineProblem[] {
  const given = fingerprint(password);
  const is = (sealed: Buffer) => fingerprint(unseal(sealed, providers.sealing, plan.id)) === given;
  if (is(Buffer.from(plan.passwordSealed))) return [];
  return plan.oldPasswordsSealed.some((sealed) => is(Buffer.from(sealed, 'hex')))
    ? [{ code: 'PASSWORD_OLD', reason: because('static_line_password_old') }]
    : [{ code: 'PASSWORD_WRONG', reason: because('line_password_wrong') }];
}

function statusProblems({ status, accountSuspended }: StaticPlan): StaticLineProblem[] {
  if (status === 'CANCELLED' || status === 'EXPIRED') return [{ code: 'ENDED', reason: because('plan_ended') }];
  return status === 'SUSPENDED' || accountSuspended ? [{ code: 'SUSPENDED', reason: because('plan_suspended') }] : [];
}
