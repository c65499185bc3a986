// Who is signed in, as far as the frame needs it: whether to show the support desk, and the permissions of the member of staff.
let id = $state<string>();
let staff = $state(false);
let permissions = $state.raw<readonly string[]>([]);

export const caller = {
  /** Of the account that is signed in, once it is known. */
  get id() {
    return id;
  },
  set id(value: string | undefined) {
    id = value;
  },
  get staff() {
    return staff;
  },
  set staff(value: boolean) {
    staff = value;
  },
  set permissions(value: readonly string[]) {
    permissions = value;
  },
  /** Whether to show a part of the desk, which needs one of these permissions; the API decides again. */
  may: (...any: string[]): boolean => any.some((permission) => permissions.includes(permission)),
};
