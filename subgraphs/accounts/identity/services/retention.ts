import { after } from '#platform/clock.ts';
import { keptMs } from '../domain/retention.ts';
import { Activity } from '../entities/activity.ts';
import { forgetAttempts } from '../entities/attempt.ts';
import { ChatAttempt } from '../entities/chat-attempt.ts';
import { EmailChange } from '../entities/email-change.ts';
import { KnownDevice } from '../entities/known-device.ts';
import { Mail } from '../../mail/entities/mail.ts';
import { Recovery } from '../entities/recovery.ts';
import { Session } from '../entities/session.ts';
import { SignInChallenge } from '../entities/sign-in-challenge.ts';
import { SignUp } from '../entities/sign-up.ts';
import { StaffEnrolment } from '../entities/staff-enrolment.ts';
import type { Context } from '../../providers.ts';

/** Removes what is not to be kept any longer. */
export async function forgetWhatIsOver({ em, clock }: Context): Promise<void> {
  const now = clock.now();
  const before = (kind: Parameters<typeof keptMs>[0]) => after(now, -keptMs(kind));
  await em.nativeDelete(Session, { expiresAt: { $lte: now } });
  await em.nativeDelete(KnownDevice, { expiresAt: { $lte: now } });
  await em.nativeDelete(StaffEnrolment, { expiresAt: { $lte: before('link') } });
  await em.nativeDelete(SignUp, { expiresAt: { $lte: before('link') } });
  await em.nativeDelete(Recovery, { expiresAt: { $lte: before('link') } });
  await em.nativeDelete(EmailChange, { expiresAt: { $lte: before('link') } });
  await em.nativeDelete(SignInChallenge, { expiresAt: { $lte: before('link') } });
  await em.nativeDelete(ChatAttempt, { expiresAt: { $lte: before('link') } });
  await forgetAttempts(em, now);
  await em.nativeDelete(Mail, { sentAt: { $lte: before('mail') } });
  await em.nativeDelete(Mail, { failedAt: { $lte: before('mail') } });
  await em.nativeDelete(Activity, { at: { $lte: before('activity') } });
}
