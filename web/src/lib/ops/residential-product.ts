import { graphql, type ResultOf } from '../graphql.ts';
import { MoneyFields } from './money.ts';
import { OfferFields } from './offer.ts';

export const ResidentialProducts = graphql(
  `
    query ResidentialProducts {
      residentialProducts {
        code
        name
        sessionMinutes
        formSessionMinutes
        dailyLimitAvailable
        validDays
        ownPrice {
          until
        }
        prices {
          fromGb
          perGb {
            ...MoneyFields
          }
        }
      }
    }
  `,
  [MoneyFields],
);

export type ResidentialProduct = ResultOf<typeof ResidentialProducts>['residentialProducts'][number];

export const ResidentialOffer = graphql(
  `
    query ResidentialOffer($product: ResidentialProductCode!, $gigabytes: Int!) {
      residentialOffer(product: $product, gigabytes: $gigabytes) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);

export const ResidentialTopUpOffer = graphql(
  `
    query ResidentialTopUpOffer($planId: ID!, $gigabytes: Int!) {
      residentialTopUpOffer(planId: $planId, gigabytes: $gigabytes) {
        ...OfferFields
      }
    }
  `,
  [OfferFields],
);
