import type * as en from '../en/status-words.ts';

export const statusWords: typeof en.statusWords = {
  components: {
    API: 'API',
    DASHBOARD: 'Dashboard',
    RESIDENTIAL_PROXIES: 'Residential-Proxys',
    STATIC_PROXIES: 'ISP- und Datacenter-Proxys',
    SERVERS: 'Server',
    PAYMENTS: 'Zahlungen',
  },
  states: { OPERATIONAL: 'In Betrieb', DEGRADED: 'Eingeschränkt', DOWN: 'Ausgefallen' },
  steps: {
    SCHEDULED: 'Geplant',
    INVESTIGATING: 'Wird untersucht',
    IDENTIFIED: 'Ursache gefunden',
    IN_PROGRESS: 'Läuft',
    MONITORING: 'Wird beobachtet',
    RESOLVED: 'Behoben',
  },
  kinds: { INCIDENT: 'Störung', MAINTENANCE: 'Wartung' },
  planned: (from, to) => `${from} bis ${to}`,
};
