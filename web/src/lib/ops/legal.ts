// Terms, privacy policy and imprint, and the account's agreement to them.
import { graphql, type ResultOf } from '../graphql.ts';

export const LegalTexts = graphql(`
  query LegalTexts {
    legalTexts {
      id
      kind
      version
      en
      de
      validFrom
    }
  }
`);

export type LegalText = ResultOf<typeof LegalTexts>['legalTexts'][number];
export type LegalKind = LegalText['kind'];

/** Which texts exist and in which version, without the texts themselves. */
export const LegalKinds = graphql(`
  query LegalKinds {
    legalTexts {
      id
      kind
      version
    }
  }
`);

export const ConsentsDue = graphql(`
  query ConsentsDue {
    me {
      id
      consentsDue {
        id
        kind
        version
      }
    }
  }
`);

export const ConsentGive = graphql(`
  mutation ConsentGive($kind: LegalKind!, $version: Int!) {
    consentGive(kind: $kind, version: $version) {
      id
      consentsDue {
        id
      }
    }
  }
`);

export const SupportLegalTexts = graphql(`
  query SupportLegalTexts {
    supportLegalTexts {
      id
      kind
      version
      en
      de
      validFrom
      publishedAt
      note
    }
  }
`);

export const SupportLegalPublish = graphql(`
  mutation SupportLegalPublish($input: SupportLegalInput!) {
    supportLegalPublish(input: $input) {
      id
    }
  }
`);
