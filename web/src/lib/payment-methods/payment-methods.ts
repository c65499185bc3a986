// Every way to pay, and what the pages do with it. A further one is its texts, its row, and a component for what its orders show of the payment.
import type { Component } from 'svelte';
import Bitcoin from '@lucide/svelte/icons/bitcoin';
import CreditCard from '@lucide/svelte/icons/credit-card';
import Landmark from '@lucide/svelte/icons/landmark';
import Wallet from '@lucide/svelte/icons/wallet';
import BankTransferDetails from './BankTransferDetails.svelte';
import CryptoDetails from './CryptoDetails.svelte';
import PayPalDetails from './PayPalDetails.svelte';
import type { PaymentMethod } from '#lib/ops/checkout.ts';
import type { Order } from '#lib/ops/order.ts';
import { t } from '#lib/text/payments.ts';

interface SavedText {
  saved: string;
  noneSaved: string;
  add: string;
}

export interface PaymentMethodView {
  icon: typeof CreditCard;
  /** Its name, what is said before it is chosen and after, and the button that orders. */
  text: { name: string; lead: (payWithin: string) => string; pay: (amount: string) => string; after: string };
  /** The processor's page on which it is paid; absent: the order's page says where the money goes. */
  page?: {
    /** Whether Pay leads there at once; else the order's page says more before. */
    atOnce: boolean;
    /** Whether an order that has none gets one when its owner asks for it. */
    opens: (order: Order) => boolean;
    /** The buttons that ask for it and lead there. */
    open: string;
    to: string;
  };
  /** Renewals are charged to what was saved, which is chosen with it: what that is called. Absent: nothing is saved. */
  saved?: SavedText & {
    /** What the page where some is added puts into the address that it comes back to, where its processor waits to be told. */
    returnsWith?: string;
  };
  /** Whether all of the money has been seen, so that its owner has nothing left to do. */
  isSeen?: (order: Order) => boolean;
  /** What the order's page says while it waits; undefined: what it says of every way. `cameBack`: from the processor's page, paid. */
  waiting: (order: Order, cameBack: boolean) => { title: string; lead: string } | undefined;
  /** What has arrived of the payment, or where it goes. */
  Details?: Component<{ order: Order }>;
  /** Whether the money has come when support says so; else the processor can be asked again. */
  confirmedBySupport: boolean;
}

const { CARD, PAYPAL, CRYPTO, BANK_TRANSFER } = t.paymentMethods;

export const paymentMethods: Record<PaymentMethod, PaymentMethodView> = {
  CARD: {
    icon: CreditCard,
    saved: { saved: t.subscriptions.card, noneSaved: t.subscriptions.noCards, add: t.subscriptions.addCard },
    text: CARD,
    page: {
      atOnce: true,
      // It has none where the processor was away when it was placed; a renewal is charged to a saved card.
      opens: ({ kind, automatic }) => kind !== 'RENEWAL' && !automatic,
      open: CARD.toPage,
      to: CARD.toPage,
    },
    waiting: (_, cameBack) => (cameBack ? CARD.confirming : undefined),
    confirmedBySupport: false,
  },
  PAYPAL: {
    icon: Wallet,
    saved: { saved: PAYPAL.saved, noneSaved: PAYPAL.noneSaved, add: PAYPAL.add, returnsWith: 'approval_token_id' },
    text: PAYPAL,
    page: { atOnce: true, opens: ({ kind, automatic }) => kind !== 'RENEWAL' && !automatic, open: PAYPAL.toPage, to: PAYPAL.toPage },
    // Without its page it has been agreed to, and the money comes days later.
    isSeen: ({ kind, automatic, checkoutUrl }) => kind !== 'RENEWAL' && !automatic && !checkoutUrl,
    waiting: ({ kind, automatic, checkoutUrl }, cameBack) =>
      kind !== 'RENEWAL' && !automatic && !checkoutUrl ? PAYPAL.promised : cameBack ? PAYPAL.confirming : undefined,
    Details: PayPalDetails,
    confirmedBySupport: false,
  },
  CRYPTO: {
    icon: Bitcoin,
    text: CRYPTO,
    // A renewal gets its rate, for a while, when its owner wants to pay.
    page: { atOnce: false, opens: () => true, open: CRYPTO.open, to: CRYPTO.toPage },
    isSeen: ({ crypto }) => crypto?.state === 'CONFIRMING',
    waiting({ checkoutUrl, crypto }) {
      if (!checkoutUrl) return CRYPTO.openFirst;
      return crypto ? CRYPTO.states[crypto.state as keyof typeof CRYPTO.states] : undefined;
    },
    Details: CryptoDetails,
    confirmedBySupport: false,
  },
  BANK_TRANSFER: {
    icon: Landmark,
    text: BANK_TRANSFER,
    waiting: () => BANK_TRANSFER.waiting,
    Details: BankTransferDetails,
    confirmedBySupport: true,
  },
};

const names = Object.keys(paymentMethods) as PaymentMethod[];

/** What is saved for renewals, and charged for them. */
export const savedMethods = names.filter((name) => paymentMethods[name].saved);
/** Of one of them. */
export const savedText = (method: PaymentMethod): SavedText => paymentMethods[method].saved ?? { saved: '', noneSaved: '', add: '' };
