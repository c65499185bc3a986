/** The name, the note and the colour of a plan. */
export const planLabel = {
  title: 'Name and note',
  lead: 'Only you see them: in the list, in search and on Home.',
  name: 'Name',
  note: 'Note',
  colour: 'Colour',
  colours: { NONE: 'None', GREEN: 'Green', BLUE: 'Blue', VIOLET: 'Violet', PINK: 'Pink', AMBER: 'Amber', GREY: 'Grey' },
  save: 'Save',
  saved: 'Saved',
};
