/** The names of components, states and steps, for the status page and the support desk. */
export const statusWords = {
  components: {
    API: 'API',
    DASHBOARD: 'Dashboard',
    RESIDENTIAL_PROXIES: 'Residential proxies',
    STATIC_PROXIES: 'ISP and datacenter proxies',
    SERVERS: 'Servers',
    PAYMENTS: 'Payments',
  },
  states: { OPERATIONAL: 'Operational', DEGRADED: 'Degraded', DOWN: 'Down' },
  steps: {
    SCHEDULED: 'Scheduled',
    INVESTIGATING: 'Investigating',
    IDENTIFIED: 'Identified',
    IN_PROGRESS: 'In progress',
    MONITORING: 'Monitoring',
    RESOLVED: 'Resolved',
  },
  kinds: { INCIDENT: 'Incident', MAINTENANCE: 'Maintenance' },
  planned: (from: string, to: string) => `${from} to ${to}`,
};
