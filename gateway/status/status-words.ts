// The fixed texts of the feed; all other texts are written by staff.
import type { Language } from '#platform/language.ts';
import type { IncidentStep, StatusComponent } from '../../schema/status.ts';

interface Words {
  title(brand: string): string;
  about(brand: string): string;
  components: Readonly<Record<StatusComponent, string>>;
  steps: Readonly<Record<IncidentStep, string>>;
}

export const STATUS_WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: (brand) => `${brand} status`,
    about: (brand) => `Incidents and planned maintenance of ${brand}.`,
    components: {
      API: 'API',
      DASHBOARD: 'Dashboard',
      RESIDENTIAL_PROXIES: 'Residential proxies',
      STATIC_PROXIES: 'ISP and datacenter proxies',
      SERVERS: 'Servers',
      PAYMENTS: 'Payments',
    },
    steps: {
      SCHEDULED: 'Scheduled',
      INVESTIGATING: 'Investigating',
      IDENTIFIED: 'Identified',
      IN_PROGRESS: 'In progress',
      MONITORING: 'Monitoring',
      RESOLVED: 'Resolved',
    },
  },
  de: {
    title: (brand) => `${brand} Status`,
    about: (brand) => `Störungen und geplante Wartungen bei ${brand}.`,
    components: {
      API: 'API',
      DASHBOARD: 'Dashboard',
      RESIDENTIAL_PROXIES: 'Residential-Proxys',
      STATIC_PROXIES: 'ISP- und Datacenter-Proxys',
      SERVERS: 'Server',
      PAYMENTS: 'Zahlungen',
    },
    steps: {
      SCHEDULED: 'Geplant',
      INVESTIGATING: 'Wird untersucht',
      IDENTIFIED: 'Ursache gefunden',
      IN_PROGRESS: 'Läuft',
      MONITORING: 'Wird beobachtet',
      RESOLVED: 'Behoben',
    },
  },
};
