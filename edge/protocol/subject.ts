// The subject of metering: a plan, or a proxy user with an allowance within the plan's. The protocol has both in `planId`, so a node meters a user as it
// meters a plan: `plan_x/user_y` is a user, `plan_x` the plan itself.

const SEPARATOR = '/';

export const subjectOf = (planId: string, userId: string | null): string => (userId === null ? planId : `${planId}${SEPARATOR}${userId}`);

export const planOfSubject = (subject: string): string => subject.split(SEPARATOR, 1)[0] as string;

/** Null: the plan itself. */
export const userOfSubject = (subject: string): string | null => subject.split(SEPARATOR, 2)[1] ?? null;
