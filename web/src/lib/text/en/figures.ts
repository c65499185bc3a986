/** What steers the shop, by days or months. */
export const figures = {
  title: 'Figures',
  lead: 'What steers the shop. How each figure is made stands in docs/figures.md.',
  step: 'By',
  steps: { DAY: 'Days', MONTH: 'Months' },
  from: 'From',
  to: 'To',
  show: 'Show',
  files: 'Files',
  fileNames: { figures: 'Figures', margins: 'Margins' },
  revenue: { title: 'Revenue', lead: 'Invoices less credit notes, before tax.' },
  recurring: { title: 'Recurring a month', lead: 'At the end of each span, before tax.' },
  traffic: { title: 'Traffic', lead: 'Carried by residential plans, as far as it is counted: today is counted tomorrow.' },
  chart: (what: string) => `${what}, as bars; the table below has the same figures`,
  table: {
    title: 'All figures',
    columns: ['Span', 'Revenue', 'Cost', 'Margin', 'Recurring a month', 'Customers', 'Lost', 'Churn', 'A month per customer', 'Traffic'],
  },
  margins: {
    title: 'Margin by product',
    lead: 'What it earned less what it cost. The operator says what a GB, an address or a server costs in the catalogue; gateways of sellers have a price of their own.',
    columns: ['Product', 'Revenue', 'Cost', 'Margin', 'Of the revenue', 'Carried or held', 'Days counted'],
  },
  uncounted: 'not counted',
  days: (days: string) => `${days} days`,
  empty: 'Nothing on these days.',
};
