// Texts of mails that staff write.
import { graphql, type ResultOf } from '../graphql.ts';

export const SupportMailTexts = graphql(`
  query SupportMailTexts {
    supportMailTexts {
      kind
      needed
      known
      standard {
        language
        subject
        body
      }
      versions {
        id
        language
        version
        subject
        body
        note
        publishedAt
        publishedBy
      }
    }
  }
`);
export type MailText = ResultOf<typeof SupportMailTexts>['supportMailTexts'][number];
export type MailLanguage = MailText['versions'][number]['language'];

export const SupportMailTextPreview = graphql(`
  query SupportMailTextPreview($input: SupportMailTextInput!) {
    shown: supportMailTextPreview(input: $input) {
      subject
      text
    }
  }
`);

export const SupportMailTextPublish = graphql(`
  mutation SupportMailTextPublish($input: SupportMailTextInput!, $note: String) {
    supportMailTextPublish(input: $input, note: $note) {
      kind
    }
  }
`);

export const SupportMailTextTry = graphql(`
  mutation SupportMailTextTry($input: SupportMailTextInput!) {
    supportMailTextTry(input: $input)
  }
`);
