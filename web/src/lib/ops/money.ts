// A sum of money, as every operation asks for it: `formatMoney` makes text of it.
import { graphql } from '../graphql.ts';

export const MoneyFields = graphql(`
  fragment MoneyFields on Money @_unmask {
    amountMinor
    currency
  }
`);
