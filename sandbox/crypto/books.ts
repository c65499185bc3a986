// The processor's books: its state, its clock, and the only way to record an event.
import type { Clock } from '#platform/clock.ts';
import { presentOf } from '../present.ts';
import { CRYPTO_STORE_ID, newId, WEBHOOK_ID } from './store.ts';
import type { CryptoInvoice, CryptoState } from './state.ts';

export type EventType =
  | 'InvoiceCreated'
  | 'InvoiceExpired'
  | 'InvoiceReceivedPayment'
  | 'InvoicePaymentSettled'
  | 'InvoiceProcessing'
  | 'InvoiceInvalid'
  | 'InvoiceSettled';

export interface CryptoEvent {
  deliveryId: string;
  webhookId: string;
  originalDeliveryId: string;
  isRedelivery: boolean;
  type: EventType;
  /** Unix seconds. */
  timestamp: number;
  storeId: string;
  invoiceId: string;
  metadata: Record<string, unknown>;
}

export interface Books {
  readonly state: CryptoState;
  /** Unix seconds: the clock's time, or the time given to `asOf`. */
  now(): number;
  /** Runs `work` as of the time at which something fell due. */
  asOf<Value>(at: number, work: () => Value): Value;
  changed(): void;
  /** Queues an event about an invoice for the webhook. */
  emit(type: EventType, invoice: CryptoInvoice, more?: object): void;
  url(): string;
  webhookUrl(): string;
}

export interface BooksOptions {
  state: CryptoState;
  clock: Clock;
  changed: () => void;
  url: () => string;
  webhookUrl: () => string;
  onEvent: (event: CryptoEvent) => void;
}

export function openBooks({ clock, onEvent, ...rest }: BooksOptions): Books {
  const present = presentOf(clock);
  const now = (): number => Math.floor(present.now() / 1000);
  return {
    ...rest,
    now,
    asOf: (at, work) => present.asOf(at * 1000, work),
    emit(type, invoice, more = {}) {
      const id = newId();
      rest.changed();
      onEvent({
        deliveryId: id,
        webhookId: WEBHOOK_ID,
        originalDeliveryId: id,
        isRedelivery: false,
        type,
        timestamp: now(),
        storeId: CRYPTO_STORE_ID,
        invoiceId: invoice.id,
        metadata: invoice.metadata,
        ...more,
      });
    },
  };
}
