import type { generationPresets as English } from '../en/generation-presets.ts';

export const generationPresets: typeof English = {
  label: 'Vorlage',
  none: 'Noch keine',
  choose: 'Vorlage wählen',
  keep: 'Als Vorlage behalten',
  remove: 'Entfernen',
  title: 'Diese Auswahl behalten',
  lead: 'Ort, Sitzung, Protokoll, Anzahl und Format, für alle Pakete des Kontos.',
  name: 'Name',
  replaces: 'Ersetzt die Vorlage dieses Namens.',
  save: 'Behalten',
  saved: (name) => `Behalten als ${name}`,
};
