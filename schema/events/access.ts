// Events about who may do what: accounts, their ways in, sessions and API keys.
import { z } from 'zod';
import { type EventTerms, NOTHING } from './terms.ts';

const named = z.object({ name: z.string() });
const inTeam = z.object({ email: z.string(), role: z.string() });
const masked = z.object({ masked: z.string() });

export const ACCESS_EVENTS = {
  'account.created': { when: 'An account exists: by a confirmed sign-up, by chat, by support or by a seed.', data: NOTHING },
  'account.verified': { when: 'Link and password of a sign-up have met in one browser.', data: NOTHING },
  'account.recovery_asked': { when: 'A link to set a new password was mailed.', data: NOTHING },
  'account.recovered': { when: 'A new password was set by a mailed link.', data: NOTHING },
  'account.password_changed': { when: 'The owner has changed the password.', data: NOTHING },
  'account.email_change_asked': { when: 'Links for another address were mailed.', data: NOTHING },
  'account.email_changed': { when: 'The links at both addresses were followed: the address is another one.', data: NOTHING },
  'account.device_link_asked': { when: 'A link that makes a browser known was mailed.', data: NOTHING },
  'account.second_factor_failed': { when: 'A second factor was wrong after a right first one.', data: NOTHING },
  'account.totp_added': { when: 'An authenticator app was set up.', data: NOTHING },
  'account.totp_removed': { when: 'The authenticator app was removed.', data: NOTHING },
  'account.recovery_codes_renewed': { when: 'New recovery codes were made.', data: NOTHING },
  'account.passkey_added': { when: 'A passkey was added; the subject is the passkey.', data: named },
  'account.passkey_removed': { when: 'A passkey was removed; the subject is the passkey.', data: named },
  'account.chat_linked': { when: 'A chat log-in opens the account from now on.', data: named },
  'account.chat_unlinked': { when: 'A chat log-in opens the account no more.', data: named },
  'account.factors_removed': { when: 'Support has taken the second factors off.', data: NOTHING },
  'account.enrolment_link_issued': { when: 'A member of staff got a link to set up a second factor.', data: NOTHING },
  'account.enrolment_link_used': { when: 'A member of staff has followed a link to set up a second factor.', data: NOTHING },
  'account.appointed': { when: 'The account belongs to staff from now on.', data: NOTHING },
  'account.roles_set': { when: 'A member of staff holds these roles from now on, and no others.', data: z.object({ roles: z.string() }) },
  'account.dismissed': { when: 'The account belongs to staff no more.', data: NOTHING },
  'account.api_allowed': { when: 'Support allows API use.', data: NOTHING },
  'account.api_forbidden': { when: 'Support forbids API use: every key is refused at once.', data: NOTHING },
  'team.named': { when: 'The owner has named the team; an empty name: it goes by the address.', data: named },
  'team.member_invited': { when: 'Somebody was invited into the team; the subject is the invitation.', data: inTeam },
  'team.invitation_withdrawn': { when: 'An invitation into the team was taken back.', data: z.object({ email: z.string() }) },
  'team.member_joined': { when: 'Somebody acts in the account from now on; the subject is the member.', data: inTeam },
  'team.member_changed': { when: 'A member has another role or access from now on.', data: inTeam },
  'team.member_removed': { when: 'A member was removed, and acts in the account no more.', data: z.object({ email: z.string() }) },
  'team.member_left': { when: 'A member has left the team.', data: z.object({ email: z.string() }) },
  'consent.given': {
    when: 'The owner has agreed to a version of terms or privacy policy, after the sign-up.',
    data: z.object({ kind: z.string(), version: z.number() }),
  },
  'account.language_chosen': { when: 'The owner reads another language from now on.', data: z.object({ language: z.string() }) },
  'account.preferences_set': {
    when: 'The owner has chosen in which time zone, form and density pages show things; a zone of null is that of the browser.',
    data: z.object({ timeZone: z.string().nullable(), dateFormat: z.string(), density: z.string() }),
  },
  'account.notification_chosen': {
    when: 'The owner wants, or does not want, mails about a topic.',
    data: z.object({ topic: z.string(), wanted: z.boolean() }),
  },
  'account.push_chosen': {
    when: 'The browsers of the owner are told of a topic from now on, or not.',
    data: z.object({ topic: z.string(), wanted: z.boolean() }),
  },
  'push_device.added': { when: 'A browser shows notifications of the account from now on.', data: named },
  'push_device.removed': { when: 'A browser shows no notifications any more: its owner, or its push service, says so.', data: named },
  'account.identity_set': {
    when: 'A member of staff has noted how well it is known who is behind the account.',
    data: z.object({ level: z.number().int() }),
  },
  'account.impersonated': {
    when: 'A member of staff looks at the account as its owner sees it, for half an hour.',
    data: z.object({ reason: z.string() }),
  },
  'account.suspended': {
    when: 'Support has suspended the account: nobody enters it, and nothing that it has bought runs.',
    data: z.object({ reason: z.string() }),
  },
  'account.restored': {
    when: 'Support has restored a suspended account: it is as it was.',
    data: z.object({ reason: z.string() }),
  },
  'account.closed': { when: 'The account is closed for good.', data: NOTHING },
  'session.started': { when: 'Somebody has logged in.', data: z.object({ device: z.string() }) },
  'session.ended': { when: 'One session was ended.', data: NOTHING },
  'session.all_ended': {
    when: 'Several sessions were ended: by their owner, by support, by a new password.',
    data: z.object({ count: z.number().int() }),
  },
  'sign_up.link_sent': { when: 'Support has sent a verification link again; the account is that of the member of support.', data: NOTHING },
  'api_key.requested': { when: 'A partner key was asked for.', data: z.object({ what: z.string() }) },
  'api_key.declined': { when: 'Support has declined a request for a key.', data: NOTHING },
  'api_key.issued': { when: 'A key works from now on.', data: masked },
  'api_key.replaced': {
    when: 'A key has a successor, and works for so many hours.',
    data: z.object({ by: z.string(), overlapHours: z.number() }),
  },
  'api_key.order_ceiling_set': { when: 'What a key may order each month was set.', data: masked.extend({ ceilingMinor: z.int() }) },
  'api_key.documents_only_set': { when: 'A key was bound to documents, or freed.', data: masked.extend({ documentsOnly: z.boolean() }) },
  'api_key.ordered': { when: 'A key has placed an order.', data: masked.extend({ orderId: z.string(), title: z.string() }) },
  'api_key.revoked': { when: 'A key is refused from now on.', data: masked },
} as const satisfies Record<string, EventTerms>;
