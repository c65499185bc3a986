/** The path of the page that tells its visitor's address; it answers whoever asks, also without a key. */
export const VISITOR_PATH = '/visitor';
