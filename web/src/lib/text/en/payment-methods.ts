/** The payment methods: before the choice, on their buttons, and on the order's page. */
export const paymentMethods = {
  CARD: {
    name: 'Card',
    lead: () => 'On the card processor’s page. Starts as soon as the payment is confirmed, usually within seconds.',
    pay: (amount: string) => `Pay ${amount} by card`,
    after: 'You pay on the card processor’s page and come back here.',
    toPage: 'Continue payment',
    confirming: {
      title: 'Confirming your payment',
      lead: 'The card processor reported back. We are waiting for its confirmation; this takes seconds.',
    },
  },
  PAYPAL: {
    name: 'PayPal',
    lead: () => 'On PayPal’s page. Starts as soon as PayPal has the money: within seconds, from a bank account within days.',
    pay: (amount: string) => `Pay ${amount} with PayPal`,
    after: 'You agree on PayPal’s page and come back here.',
    toPage: 'Continue with PayPal',
    confirming: {
      title: 'Confirming your payment',
      lead: 'You have agreed at PayPal. We take the payment now; this takes seconds.',
    },
    promised: {
      title: 'PayPal waits for the money',
      lead: 'Your bank sends it to PayPal, which takes some days. You need not do anything; this page follows it by itself.',
    },
    saved: 'PayPal account',
    noneSaved: 'No PayPal account is saved yet.',
    add: 'Save a PayPal account',
    declined: 'If what you chose at PayPal is declined, continue there and choose something else: nothing was taken.',
  },
  CRYPTO: {
    name: 'Cryptocurrency',
    lead: (span: string) =>
      `The rate holds for ${span}. Starts when the network has confirmed the transaction. What is too much, too little or late becomes account credit.`,
    pay: (amount: string) => `Pay ${amount} with crypto`,
    after: 'The next page leads to the payment page and follows your transaction.',
    open: 'Get the payment page',
    toPage: 'Open the payment page',
    openFirst: {
      title: 'Waiting for your payment',
      lead: 'Ask for the payment page when you are ready: its rate holds for a limited time.',
    },
    coins: 'Your coins',
    due: 'Due',
    seen: 'Seen',
    confirmed: 'Confirmed',
    credited: 'Turned into account credit',
    states: {
      WAITING: { title: 'Waiting for your coins', lead: 'Nothing has appeared on the network yet. This page follows it by itself.' },
      PARTIAL: {
        title: 'A part has arrived',
        lead: 'Send the rest to the same address in time, or what has arrived becomes account credit.',
      },
      CONFIRMING: {
        title: 'Waiting for the confirmation',
        lead: 'All of it has appeared on the network. You need not do anything; it may take from minutes to an hour.',
      },
    },
  },
  BANK_TRANSFER: {
    name: 'Bank transfer',
    lead: (span: string) => `You have ${span}. Starts when support has seen the transfer arrive.`,
    pay: (amount: string) => `Order and transfer ${amount}`,
    after: 'The next page shows the amount and the reference of the transfer.',
    waiting: {
      title: 'Waiting for your transfer',
      lead: 'It goes on as soon as support has seen the transfer arrive. We mail you then.',
    },
    transferTo: 'Transfer to',
    noBank: 'Support sends you the details of our bank account by mail.',
    reference: 'Reference',
    amount: 'Amount',
    until: 'By',
  },
};
