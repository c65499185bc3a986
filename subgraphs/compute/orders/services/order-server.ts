// What orders of both kinds of server have in common: the signed offer, and the server that is begun once it is paid.
import { accountOf } from '#platform/context.ts';
import type { EventOf } from '#platform/events.ts';
import { newId } from '#platform/ids.ts';
import { seal } from '#platform/sealing.ts';
import { randomBase62 } from '#platform/secrets.ts';
import { type OfferLine, type OfferSubscription, type OfferTerms, priceOffer } from '#commerce/offers.ts';
import { isSuspended } from '#commerce/account-suspension.ts';
import { taxBasisPointsOf } from '#commerce/tax.ts';
import { CURRENCY } from '#commerce/money.ts';
import type { OrdersContext } from '../context.ts';
import { OPERATING_SYSTEMS, type OperatingSystem } from '../../catalogue/domain/operating-system.ts';
import type { Command } from '../../operations/domain/operation.ts';
import { beginOperation } from '../../operations/services/begin-operation.ts';
import { newPassword, passwordPlace } from '../../servers/domain/server-secrets.ts';
import { type NewServer, insertServer } from '../../servers/entities/server.ts';

/** The given host name, or one made from the plan's name. */
export const hostnameOr = (given: string | null, plan: string): string => given?.trim() || `${plan}-${randomBase62(6)}`.toLowerCase();

interface Priced {
  offerId: string;
  /** The id of the subscription is made before the order is placed, so that every subgraph that gets an event of the order knows it. */
  subscriptionId: string;
  title: string;
  /** The name of the plan's item in the catalogue. */
  item: string;
  months: number;
  lines: OfferLine[];
  fulfil: Record<string, unknown> & { kind: string; subscriptionId: string };
  holdsStock?: true;
}

/** An offer of a server for the caller's account; the whole first period is paid at once. */
export async function offerServer(
  ctx: OrdersContext,
  { offerId, subscriptionId, title, item, months, lines, fulfil, holdsStock }: Priced,
): Promise<OfferTerms> {
  const accountId = accountOf(ctx);
  return priceOffer(
    {
      id: offerId,
      accountId,
      seller: 'compute',
      title,
      item,
      lines,
      currency: CURRENCY,
      subscription: { id: subscriptionId, months: months as OfferSubscription['months'], lines },
      fulfil,
      ...(holdsStock && { holdsStock }),
    },
    await taxBasisPointsOf(ctx, accountId),
    ctx.clock,
  );
}

/** The choices of the order. */
type Ordered = Omit<NewServer, 'id' | 'kind' | 'status' | 'accountId' | 'orderId' | 'createdAt' | 'os'> & { os: OperatingSystem };

/** How each kind of server begins. */
const KINDS = {
  VPS: { prefix: 'vps', status: 'BUILDING', command: 'BUILD' },
  DEDICATED: { prefix: 'ded', status: 'PROVISIONING', command: 'PROVISION' },
} as const satisfies Record<NewServer['kind'], { prefix: string; status: NewServer['status']; command: Command }>;

/** Begins the server of a paid order; returns false when the order has one already. */
export async function beginServer(
  ctx: OrdersContext,
  { accountId, subject: orderId, data: { subscription } }: EventOf<'order.paid'> & { accountId: string },
  kind: NewServer['kind'],
  ordered: Ordered,
): Promise<boolean> {
  const { em, clock, providers } = ctx;
  const { prefix, status, command } = KINDS[kind];
  const id = newId(prefix, clock);
  const made = await insertServer(em, {
    ...ordered,
    id,
    kind,
    status,
    accountId,
    orderId,
    createdAt: clock.now(),
    accountSuspended: await isSuspended(em, accountId),
    loginName: OPERATING_SYSTEMS[ordered.os].loginName,
    passwordSealed: seal(newPassword(), providers.sealing, passwordPlace(id)),
    ...(subscription && {
      subscriptionVersion: subscription.version,
      subscriptionStatus: 'ACTIVE',
      periodStart: subscription.currentPeriodStart,
      periodEnd: subscription.currentPeriodEnd,
    }),
  });
  if (made) await beginOperation(ctx, { id, accountId, kind }, { command });
  return made;
}
