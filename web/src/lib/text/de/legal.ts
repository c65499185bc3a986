import type * as en from '../en/legal.ts';

export const legal: typeof en.legal = {
  kinds: { TERMS: 'AGB', PRIVACY: 'Datenschutz', IMPRINT: 'Impressum' },
  version: (version, from) => `Fassung ${version}, ab ${from}`,
  none: 'Hier steht noch nichts',
  noneLead: 'Schreiben Sie uns, wenn Ihnen etwas fehlt.',
  signUp: 'AGB und Datenschutz',
  agreed: 'Ich stimme zu.',
  dueTitle: 'Neue Bedingungen',
  due: 'Bitte lesen Sie, was jetzt gilt, und stimmen Sie zu:',
  agree: 'Ich stimme zu',
};
