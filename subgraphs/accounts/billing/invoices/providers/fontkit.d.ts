// The package comes without types; this is all that is used of it.
declare module 'fontkit' {
  /** Opens the bytes of one font. */
  export function create(bytes: Uint8Array): object;
}
