// Who is signed in, as far as the frame needs it: whether the desk of support is one of the places.
let staff = $state(false);

export const caller = {
  get staff() {
    return staff;
  },
  set staff(value: boolean) {
    staff = value;
  },
};
