import { daysBefore } from '#platform/clock.ts';
import { forgetActivity } from '../entities/activity.ts';
import { forgetAttempts } from '../entities/attempt.ts';
import { forgetChatAttempts } from '../entities/chat-attempt.ts';
import { forgetEmailChanges } from '../entities/email-change.ts';
import { forgetDevices } from '../entities/known-device.ts';
import { forgetImpersonations } from '../entities/impersonation.ts';
import { forgetMails } from '../../mail/entities/mail.ts';
import { forgetRecoveries } from '../entities/recovery.ts';
import { forgetSessions } from '../entities/session.ts';
import { forgetSetUpCodes } from '../entities/set-up-code.ts';
import { forgetChallenges } from '../entities/sign-in-challenge.ts';
import { forgetSignUps } from '../entities/sign-up.ts';
import { forgetEnrolments } from '../entities/staff-enrolment.ts';
import type { IdentityContext } from '../context.ts';

/** Deletes the data of this noun that has been kept for its term. */
export async function forgetWhatIsOver({ em, clock, providers: { retention } }: IdentityContext): Promise<void> {
  const now = clock.now();
  await forgetSessions(em, now);
  await forgetImpersonations(em, now);
  await forgetDevices(em, now);
  await forgetSetUpCodes(em, now);
  for (const forget of [forgetEnrolments, forgetSignUps, forgetRecoveries, forgetEmailChanges, forgetChallenges, forgetChatAttempts])
    await forget(em, daysBefore(now, retention.links));
  await forgetAttempts(em, now);
  await forgetMails(em, daysBefore(now, retention.mails));
  await forgetActivity(em, daysBefore(now, retention.activity));
}
