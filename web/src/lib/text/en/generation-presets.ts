export const generationPresets = {
  label: 'Preset',
  none: 'None kept yet',
  choose: 'Choose a preset',
  keep: 'Keep as preset',
  remove: 'Remove',
  title: 'Keep these choices',
  lead: 'Location, session, protocol, quantity and format, for all plans of the account.',
  name: 'Name',
  replaces: 'Replaces the preset of this name.',
  save: 'Keep',
  saved: (name: string) => `Kept as ${name}`,
};
