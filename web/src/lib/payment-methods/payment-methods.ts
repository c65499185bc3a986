// All payment methods, and what the pages need of each. A new method needs its texts, a row here, and a component for the payment on the order's page.
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
  /** Its name, the texts before and after it is chosen, and the label of the order button. */
  text: { name: string; lead: (payWithin: string) => string; pay: (amount: string) => string; after: string };
  /** The processor's page for the payment; absent: the order's page shows where to send the money. */
  page?: {
    /** Whether the order button leads to that page at once; otherwise the order's page is shown first. */
    atOnce: boolean;
    /** Whether an order without such a page gets one when its owner asks for it. */
    opens: (order: Order) => boolean;
    /** The labels of the buttons that open the page and lead to it. */
    open: string;
    to: string;
  };
  /** Texts for what is saved and charged for renewals, which is chosen with the method. Absent: nothing is saved. */
  saved?: SavedText & {
    /** The parameter in the address after the page that saves it, when its processor does not notify us. Absent: it does. */
    returnsWith?: string;
  };
  /** Whether all of the money has been seen, so that the owner has nothing left to do. */
  isSeen?: (order: Order) => boolean;
  /** The text of the order's page while the payment is pending; undefined: the general text. `cameBack`: the owner is back from the processor's page and has paid. */
  waiting: (order: Order, cameBack: boolean) => { title: string; lead: string } | undefined;
  /** Shows what has arrived of the payment, or where to send it. */
  Details?: Component<{ order: Order }>;
  /** Whether support confirms that the money has come; otherwise the processor can be asked again. */
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
      // The page is missing when the processor was unreachable while the order was placed. A renewal is charged to a saved card instead.
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
    // Without a page the payment has been agreed to, and the money comes days later.
    isSeen: ({ kind, automatic, checkoutUrl }) => kind !== 'RENEWAL' && !automatic && !checkoutUrl,
    waiting: ({ kind, automatic, checkoutUrl }, cameBack) =>
      kind !== 'RENEWAL' && !automatic && !checkoutUrl ? PAYPAL.promised : cameBack ? PAYPAL.confirming : undefined,
    Details: PayPalDetails,
    confirmedBySupport: false,
  },
  CRYPTO: {
    icon: Bitcoin,
    text: CRYPTO,
    // A renewal gets its exchange rate, for a limited time, when its owner wants to pay.
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

/** The methods that can be saved, for renewals. */
export const savedMethods = names.filter((name) => paymentMethods[name].saved);
/** The texts of a method that can be saved. */
export const savedText = (method: PaymentMethod): SavedText => paymentMethods[method].saved ?? { saved: '', noneSaved: '', add: '' };
