// The mail about an end point, in German.
import { write } from '../../mail/domain/german.ts';
import type { ToCustomers } from '../../mail/domain/staff-mail.ts';
import type { WEBHOOK_MAILS } from './webhook-mails.ts';
import { WEBHOOKS } from '../../../../schema/limits.ts';

/** Kind of mail -> a function from the mail's data to its German text. */
export const WEBHOOK_MAILS_DE: ToCustomers<typeof WEBHOOK_MAILS> = {
  webhook_disabled: ({ brand, address, attempts, gone, url }) =>
    write({
      subject: `${brand} sendet keine Ereignisse mehr an ${address}`,
      paragraphs: [
        gone
          ? `Ihr Webhook-Endpunkt ${address} hat mit 410 geantwortet: Er möchte keine Ereignisse mehr. Er ist abgeschaltet.`
          : `Ihr Webhook-Endpunkt ${address} hat drei Tage lang kein Ereignis angenommen (${attempts} Versuche). Er ist abgeschaltet.`,
        `Was seither geschehen ist, bleibt ${WEBHOOKS.keptDays} Tage lang aufbewahrt: Schalten Sie ihn wieder ein, und er bekommt alles Versäumte in seiner Reihenfolge.`,
      ],
      link: { label: 'Ansehen, was er geantwortet hat', url },
      closing: brand,
    }),
};
