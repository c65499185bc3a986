/** Terms, privacy policy and imprint. */
export const legal = {
  kinds: { TERMS: 'Terms', PRIVACY: 'Privacy policy', IMPRINT: 'Imprint' },
  version: (version: number, from: string) => `Version ${version}, from ${from} on`,
  none: 'Nothing is published here',
  noneLead: 'Write to us if you miss something.',
  signUp: 'Terms and privacy policy',
  agreed: 'I agree to them.',
  dueTitle: 'New terms',
  due: 'Please read and agree to what holds now:',
  agree: 'I agree',
};
