// The fields of a sum of money, for all operations; `formatMoney` formats them.
import { graphql } from '../graphql.ts';

export const MoneyFields = graphql(`
  fragment MoneyFields on Money @_unmask {
    amountMinor
    currency
  }
`);
