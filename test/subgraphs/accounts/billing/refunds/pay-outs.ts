// Helpers for tests that pay credit out.
import type { Viewer } from '#platform/identity.ts';
import { dataOf } from '../../world.ts';
import { placeOrder } from '../../../../kit/purchase.ts';
import type { BillingWorld, Person } from '../world.ts';

export interface PaidOut {
  id: string;
  amount: { amountMinor: number };
  parts: { destination: string; byHand: boolean; charge: string; amount: { amountMinor: number } }[];
}
export interface PayOutRow {
  id: string;
  status: string;
  destination: string;
  payTo: string | null;
  amount: { amountMinor: number };
}
const PARTS = 'amount { amountMinor } parts { destination byHand charge amount { amountMinor } }';

type PayingWorld = Pick<BillingWorld, 'ask' | 'buy' | 'newKey' | 'offer' | 'platform' | 'refund' | 'settle'>;

export function payOutsIn(world: PayingWorld, desk: Person) {
  let transfers = 0;
  return {
    tryPayOut: (
      person: { id: string },
      more: { amountMinor?: number; payTo?: string; reason?: string; key?: string } = {},
      by: Viewer = desk.viewer,
    ) => {
      const { key = world.newKey(), ...given } = more;
      return world.ask(by, `mutation ($input: SupportCreditPayOutInput!) { supportCreditPayOut(input: $input) { id ${PARTS} } }`, {
        input: { accountId: person.id, reason: 'You asked for it', idempotencyKey: key, ...given },
      });
    },
    async payOut(person: { id: string }, more: { amountMinor?: number; payTo?: string } = {}): Promise<PaidOut> {
      return dataOf<PaidOut>(await this.tryPayOut(person, more), 'supportCreditPayOut');
    },
    async payable(person: { id: string }): Promise<Omit<PaidOut, 'id'> & { byItself: { amountMinor: number } }> {
      const answer = await world.ask(
        desk.viewer,
        `query ($id: ID!) { supportAccount(id: $id) { creditPayable { byItself { amountMinor } ${PARTS} } } }`,
        { id: person.id },
      );
      return dataOf<{ creditPayable: Omit<PaidOut, 'id'> & { byItself: { amountMinor: number } } }>(answer, 'supportAccount').creditPayable;
    },
    async payOuts(person: { id: string }): Promise<PayOutRow[]> {
      const answer = await world.ask(
        desk.viewer,
        'query ($id: ID!) { supportAccount(id: $id) { credit { payOuts { id status destination payTo amount { amountMinor } } } } }',
        { id: person.id },
      );
      return dataOf<{ credit: { payOuts: PayOutRow[] } }>(answer, 'supportAccount').credit.payOuts;
    },
    /** Buys by card and refunds the order to credit. Returns the order's id. */
    async creditByCard(person: Person): Promise<string> {
      const [id = ''] = await this.creditByCards(person, 1);
      return id;
    },
    /** As `creditByCard`, for several orders, which are all bought before the first is refunded. */
    async creditByCards(person: Person, count: number): Promise<string[]> {
      const ids: string[] = [];
      while (ids.length < count) ids.push((await world.buy(person)).id);
      for (const orderId of ids) await world.refund(desk.viewer, { orderId, destination: 'CREDIT' });
      return ids;
    },
    /** Makes credit by a bank transfer that arrives after its order is over. */
    async creditByTransfer(person: Person, amountMinor: number): Promise<string> {
      const offer = world.offer(person.id, {
        lines: [{ label: 'Much', quantity: 1, amountMinor: 60_000 }],
        subtotalMinor: 60_000,
        totalMinor: 60_000,
      });
      const { id } = dataOf<{ id: string }>(
        await world.ask(person.viewer, placeOrder('id', 'BANK_TRANSFER'), { offer, key: world.newKey() }),
        'orderPlace',
      );
      await world.ask(person.viewer, 'mutation ($id: ID!) { orderCancel(id: $id) { id } }', { id });
      // Closing the order releases the credit that was held for it.
      await world.platform.queue.runNow('accounts.orders-close');
      await world.settle();
      const bankReference = `late ${++transfers}`;
      await world.ask(desk.viewer, 'mutation ($input: SupportTransferConfirmInput!) { supportTransferConfirm(input: $input) { id } }', {
        input: { orderId: id, amountMinor, bankReference, idempotencyKey: world.newKey() },
      });
      return bankReference;
    },
    resolve: (id: string, decision: string, reference?: string) =>
      world.ask(
        desk.viewer,
        'mutation ($id: ID!, $decision: RefundDecision!, $reference: String) { supportRefundResolve(id: $id, decision: $decision, reference: $reference) { status } }',
        { id, decision, reference },
      ),
  };
}

/** Ledger -> how its sum has changed since `before`, where it has. */
export async function booksSince(world: Pick<BillingWorld, 'books'>, before: Record<string, number>): Promise<Record<string, number>> {
  const now = await world.books();
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return Object.fromEntries(names.map((name) => [name, (now[name] ?? 0) - (before[name] ?? 0)] as const).filter(([, sum]) => sum !== 0));
}
