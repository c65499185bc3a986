/** The part of every order form that takes the payment. */
export const checkout = {
  title: 'Checkout',
  lead: 'What you see here is what is charged, to the cent.',
  method: 'How do you want to pay?',
  covered: 'Your account credit covers the whole price: nothing is left to pay.',
  summary: 'Your order',
  toPay: 'To pay now',
  order: 'Order now',
  afterCredit: 'It is ordered and paid at once.',
  renews: (months: number, total: string) =>
    `Renews ${months === 1 ? 'every month' : `every ${months} months`} for ${total} until you cancel.`,
  grants: (amount: string) => `${amount} is given back as account credit.`,
  validFor: 'This price holds for',
  expired: 'This price has run out.',
  goBack: 'Go back and ask for a new one.',
  noOffer: 'Complete your choice to see its price.',
  refresh: 'Get a new price',
  invoicedTo: 'Invoice to',
  change: 'Change',
  add: 'Add details',
  noDetails:
    'The invoice will carry your e-mail address only. Add your name and address if your accountant needs them: the country decides the tax.',
  countryRequired: 'Say where you are before you pay: the tax goes by your country. Then come back, the price waits here with its tax.',
  nothingTitle: 'Nothing to pay',
  nothingLead: 'Choose a product first; its price leads here.',
};
