// The desk's commands on terms, privacy policy and imprint.
import { LEGAL_KINDS } from '../identity/domain/legal-text.ts';
import { legalTexts } from '../identity/entities/legal-text.ts';
import { publishLegalText } from '../identity/services/legal-texts.ts';
import { Refusal, momentOf, table } from '#platform/desk-command.ts';
import { type Command, oneOf, textIn } from './desk.ts';

export const LEGAL_COMMANDS: Readonly<Record<string, Command>> = {
  'legal-texts': {
    permission: 'legal',
    words: '',
    about: 'terms, privacy policy and imprint: versions, from when on, in which languages',
    run: async ({ em }) =>
      table(
        (await legalTexts(em)).map(({ kind, version, validFrom, said, note }) => [
          ...[kind, version, validFrom.toISOString(), Object.keys(said).join(',')],
          note,
        ]),
      ),
  },
  'legal-publish': {
    permission: 'legal',
    words: 'terms|privacy|imprint --en FILE [--de FILE] [--from AT] [--reason TEXT]',
    about: 'publishes the next version; customers are asked to agree to terms and privacy policy',
    async run(ctx, { of, en, de, from, reason }) {
      const english = await textIn('en', en);
      if (english === undefined) throw new Refusal('Name the file of the English text: --en FILE.');
      const { kind, version, validFrom } = await publishLegalText(ctx, {
        kind: oneOf(LEGAL_KINDS, 'The kind', of),
        text: { en: english, de: await textIn('de', de) },
        note: reason,
        validFrom: momentOf('from', from),
      });
      return `${kind} ${version} holds from ${validFrom.toISOString()} on.`;
    },
  },
};
