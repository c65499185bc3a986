// Who is signed in, as far as the frame needs it: whether the desk of support is one of the places, and what its member may do there.
let staff = $state(false);
let permissions = $state.raw<readonly string[]>([]);

export const caller = {
  get staff() {
    return staff;
  },
  set staff(value: boolean) {
    staff = value;
  },
  set permissions(value: readonly string[]) {
    permissions = value;
  },
  /** Whether a part of the desk is shown; the API has the last word. */
  may: (...any: string[]): boolean => any.some((permission) => permissions.includes(permission)),
};
