// Test clocks: customers with a clock of their own, which requests advance.
import type Stripe from 'stripe';
import { passTimeOf } from '../time.ts';
import type { Books } from '../books.ts';
import { invalid, noSuch } from '../fault.ts';
import { createId } from '../ids.ts';
import { pageFields, pageOf } from '../list.ts';
import { route } from '../route.ts';
import { fields, fieldsOf, moment, needed, text } from '../shape.ts';
import { rowOf } from '../state.ts';

const createInput = fieldsOf<Stripe.TestHelpers.TestClockCreateParams>()({ frozen_time: needed(moment), name: text(300) });
const advanceInput = fieldsOf<Stripe.TestHelpers.TestClockAdvanceParams>()({ frozen_time: needed(moment) });

const LIFE_SECONDS = 30 * 86_400;

export const testClockRoutes = [
  route('POST', '/v1/test_helpers/test_clocks', createInput, ({ books, input }) => {
    const clock: Stripe.TestHelpers.TestClock = {
      id: createId('clock'),
      object: 'test_helpers.test_clock',
      created: books.now(),
      deletes_after: books.now() + LIFE_SECONDS,
      frozen_time: input.frozen_time,
      livemode: false,
      name: input.name ?? null,
      status: 'ready',
      status_details: {},
    };
    books.state.testClocks[clock.id] = clock;
    books.emit('test_helpers.test_clock.created', clock);
    return clock;
  }),
  route('GET', '/v1/test_helpers/test_clocks', fields(pageFields), ({ books, input }) =>
    pageOf('/v1/test_helpers/test_clocks', Object.values(books.state.testClocks), input),
  ),
  route('GET', '/v1/test_helpers/test_clocks/:id', fields({}), ({ books, ids }) => findClock(books, ids['id'] ?? '')),
  route('POST', '/v1/test_helpers/test_clocks/:id/advance', advanceInput, ({ books, ids, input }) => {
    const clock = findClock(books, ids['id'] ?? '');
    const to = input.frozen_time;
    if (to <= clock.frozen_time) throw invalid('The new frozen time must be after the current one.', undefined, 'frozen_time');
    const answer = { ...clock, status: 'advancing', status_details: { advancing: { target_frozen_time: to } } };
    books.emit('test_helpers.test_clock.advancing', answer);
    for (const customer of Object.values(books.state.customers)) if (customer.test_clock === clock.id) passTimeOf(books, customer.id, to);
    clock.frozen_time = to;
    books.emit('test_helpers.test_clock.ready', clock);
    return answer;
  }),
  route('DELETE', '/v1/test_helpers/test_clocks/:id', fields({}), ({ books, ids }) => {
    const clock = findClock(books, ids['id'] ?? '');
    for (const customer of Object.values(books.state.customers)) if (customer.test_clock === clock.id) forget(books, customer.id);
    delete books.state.testClocks[clock.id];
    books.emit('test_helpers.test_clock.deleted', clock);
    return { id: clock.id, object: clock.object, deleted: true };
  }),
];

function findClock(books: Books, id: string): Stripe.TestHelpers.TestClock {
  const clock = rowOf(books.state.testClocks, id);
  if (!clock) throw noSuch('test_clock', id);
  return clock;
}

/** Deleting a clock deletes its customers. */
function forget(books: Books, customer: string): void {
  delete books.state.customers[customer];
  for (const table of [books.state.subscriptions, books.state.invoices, books.state.invoiceItems]) {
    for (const [id, row] of Object.entries(table)) if (row.customer === customer) delete table[id];
  }
}

/** The time of a request about this object or customer: that of its test clock, or undefined for the present. */
export function frozenTimeOf(books: Books, ids: (string | undefined)[]): number | undefined {
  const { state } = books;
  for (const id of ids) {
    if (id === undefined) continue;
    const owned =
      rowOf(state.subscriptions, id) ??
      rowOf(state.invoices, id) ??
      rowOf(state.intents, id) ??
      rowOf(state.invoiceItems, id) ??
      rowOf(state.setupIntents, id);
    const customer = rowOf(state.customers, id) ?? rowOf(state.customers, String(owned?.customer));
    const clock = rowOf(state.testClocks, String(customer?.test_clock));
    if (clock) return clock.frozen_time;
  }
  return undefined;
}
