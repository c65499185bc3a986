// What the status page speaks of, as the contract of accounts names it: accounts keeps incidents by these words, gateways measure and show by them.

/** The parts of the platform, in the order in which the page shows them. */
export const STATUS_COMPONENTS = ['API', 'DASHBOARD', 'RESIDENTIAL_PROXIES', 'STATIC_PROXIES', 'SERVERS', 'PAYMENTS'] as const;
export type StatusComponent = (typeof STATUS_COMPONENTS)[number];

export const INCIDENT_STEPS = ['SCHEDULED', 'INVESTIGATING', 'IDENTIFIED', 'IN_PROGRESS', 'MONITORING', 'RESOLVED'] as const;
export type IncidentStep = (typeof INCIDENT_STEPS)[number];
