// What steers the shop, for staff.
import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';

export const SupportFigures = graphql(
  `
    query SupportFigures($from: Date, $to: Date, $step: FigureStep!) {
      supportFigures(from: $from, to: $to, step: $step) {
        from
        to
        revenue {
          ...MoneyFields
        }
        cost {
          ...MoneyFields
        }
        margin {
          ...MoneyFields
        }
        recurring {
          ...MoneyFields
        }
        customers
        lost
        churnBasisPoints
        perCustomer {
          ...MoneyFields
        }
        bytes
      }
      supportProductFigures(from: $from, to: $to, step: $step) {
        seller
        product
        revenue {
          ...MoneyFields
        }
        cost {
          ...MoneyFields
        }
        margin {
          ...MoneyFields
        }
        marginBasisPoints
        costDays
        bytes
        unitDays
      }
    }
  `,
  [MoneyFields],
);

export type FigurePoint = ResultOf<typeof SupportFigures>['supportFigures'][number];
export type ProductFigures = ResultOf<typeof SupportFigures>['supportProductFigures'][number];
