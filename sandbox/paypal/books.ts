// PayPal's books: its state, its clock, and the only way to record an event.
import { randomInt } from 'node:crypto';
import type { Clock } from '#platform/clock.ts';
import { type Present, presentOf } from '../present.ts';
import { noSuchResource } from './problem.ts';
import type { PayPalEvent, PayPalState } from './state.ts';

export interface Books extends Present {
  readonly state: PayPalState;
  changed(): void;
  /** Queues an event for the webhooks that have subscribed to its type. */
  emit(type: string, resourceType: string, resource: object): void;
  url(): string;
}

export interface BooksOptions {
  state: PayPalState;
  clock: Clock;
  changed: () => void;
  url: () => string;
  onEvent: (event: PayPalEvent) => void;
}

export function openBooks({ clock, onEvent, ...rest }: BooksOptions): Books {
  const present = presentOf(clock);
  return {
    ...rest,
    ...present,
    emit(event_type, resource_type, resource) {
      rest.changed();
      onEvent({
        id: `WH-${newId(17)}-${newId(17)}`,
        event_version: '1.0',
        create_time: toTime(present.now()),
        resource_type,
        event_type,
        summary: event_type.toLowerCase().replaceAll(/[._-]/g, ' '),
        resource: structuredClone(resource),
        links: [],
      });
    },
  };
}

const LETTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXY';
const PAYER_LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

const pick = (letters: string, length: number): string => Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** 17 capitals and digits, as the ids of orders, captures and refunds. */
export const newId = (length = 17): string => pick(LETTERS, length);
/** `ppaas_payer_id_v3` */
export const newPayerId = (): string => pick(PAYER_LETTERS, 13);

export const toTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

export function found<Row>(table: Readonly<Record<string, Row>>, id: string | undefined): Row {
  const row = id !== undefined && Object.hasOwn(table, id) ? table[id] : undefined;
  if (row === undefined) throw noSuchResource();
  return row;
}
