import type { CallOptions, EgressClient, Event } from '../../client/index.ts';
import type { Command, Context } from '../command.ts';
import { EVERY, every } from '../every.ts';
import { plain } from '../table.ts';

export const eventLine = ({ timestamp, type, data }: Pick<Event, 'timestamp' | 'type' | 'data'>): string =>
  plain(`${timestamp}  ${type}  ${JSON.stringify(data)}`);

/** The id of the newest event; undefined when there is none. */
async function newestEvent(client: EgressClient, options: CallOptions): Promise<string | undefined> {
  let id: string | undefined;
  for await (const event of client.eachEvent({ limit: 100 }, options)) id = event.event_id;
  return id;
}

/** Prints what happens from now on, by asking for it again and again. */
export async function watchEvents({ client, given, answerOne, terminal }: Context, types: readonly string[] = []): Promise<void> {
  let after = await newestEvent(client, terminal);
  await every(given, terminal.signal, async () => {
    for await (const event of client.eachEvent({ limit: 100, ...(after !== undefined && { after }) }, terminal)) {
      after = event.event_id;
      if (types.length === 0 || types.includes(event.type)) answerOne(event, eventLine(event));
    }
  });
}

export const EVENT_COMMANDS: readonly Command[] = [
  {
    name: 'events list',
    options: { after: { value: 'EVENT', says: 'only what came after this event' } },
    says: 'lists what has happened to the account, oldest first',
    async run({ client, given, answer, terminal }) {
      const after = given.text('after');
      const events: Event[] = [];
      for await (const event of client.eachEvent({ limit: 100, ...(after !== undefined && { after }) }, terminal)) events.push(event);
      answer({ events }, events.length === 0 ? ['Nothing has happened.'] : events.map((event) => `${event.event_id}  ${eventLine(event)}`));
    },
  },
  {
    name: 'events watch',
    options: EVERY,
    endless: true,
    says: 'prints what happens to the account, live, until Ctrl-C',
    run: (context) => watchEvents(context),
  },
];
