// Reactions to what sellers say of the prices of one account: its owner is told, unless staff chose otherwise, and staff what waits for one of them.
import type { EventOf } from '#platform/events.ts';
import { decimalOf } from '#commerce/money.ts';
import { askSecondPerson } from '../../../identity/services/second-person.ts';
import { toMinute } from '../../../mail/domain/mail-text.ts';
import { postToOwner } from '../../../mail/services/mails.ts';
import type { SubscriptionsContext } from '../context.ts';

type AboutPrice = EventOf<'account_price.set' | 'account_price.ended'>['data'];

/** What both mails say. Packages of GB are bought once; what the other sellers sell renews. */
const saidOf = ({ providers: { publicUrl } }: SubscriptionsContext, { seller, item, name, prices }: AboutPrice) => ({
  seller,
  item,
  prices,
  ...(name !== undefined && { name }),
  url: `${publicUrl}/${seller === 'residential' ? 'residential' : 'billing?tab=subscriptions'}`,
});

/** Reaction to `account_price.set`. */
export async function tellOfPrice(ctx: SubscriptionsContext, { accountId, at, data }: EventOf<'account_price.set'>): Promise<void> {
  const { seller, tell, from, until, offBasisPoints, changes, running } = data;
  if (!tell) return;
  const renewing = running ? 'RENEWS' : 'STAYS';
  await postToOwner(ctx, accountId, 'account_price_set', {
    ...saidOf(ctx, data),
    ...(from > at && { from: toMinute(from) }),
    ...(until && { until: toMinute(until) }),
    ...(offBasisPoints !== undefined && { off: decimalOf(offBasisPoints) }),
    changes,
    running: seller === 'residential' ? 'BOUGHT' : renewing,
  });
}

/** Reaction to `account_price.requested`: those who may agree to it are told. */
export async function askAboutPrice(ctx: SubscriptionsContext, { accountId, data }: EventOf<'account_price.requested'>): Promise<void> {
  if (accountId === null) return;
  const { item, lowersBasisPoints, askedBy, expiresAt } = data;
  const what = `A price of ${item}, up to ${decimalOf(lowersBasisPoints)}% below the catalogue`;
  await askSecondPerson(ctx, { permission: 'account_prices', askedBy, accountId, what, until: expiresAt });
}

/** Reaction to `account_price.ended`. */
export async function tellOfPriceEnd(ctx: SubscriptionsContext, { accountId, data }: EventOf<'account_price.ended'>): Promise<void> {
  const { seller, tell, from } = data;
  if (!tell) return;
  await postToOwner(ctx, accountId, 'account_price_ended', {
    ...saidOf(ctx, data),
    ...(from && { from: toMinute(from) }),
    running: seller === 'residential' ? 'BOUGHT' : 'STAYS',
  });
}
