// Limits that forms and texts mention; the API is their only source.
import { graphql } from '../graphql.ts';

export const AccountRules = graphql(`
  query AccountRules {
    accountRules {
      passwordLengthMin
      passwordLengthMax
      keyOverlapHoursMax
      offerMinutes
      staffActsDays
    }
  }
`);

export const ResidentialRules = graphql(`
  query ResidentialRules {
    residentialRules {
      protocols
      formQuantityMax
      breakdownRowsMax
      dailyLimitMinBytes
      lowBalancePercents
      requestLogDays
    }
  }
`);

export const StaticRules = graphql(`
  query StaticRules {
    staticRules {
      usernameLengthMin
      usernameLengthMax
      passwordLengthMin
      passwordLengthMax
      checkEveryMinutes
      outageFailures
      downtimeBasisPoints
    }
  }
`);

export const ComputeRules = graphql(`
  query ComputeRules {
    computeRules {
      backupEveryDays
      olderBackupsKept
      safetyBackupHours
      passwordLengthMin
      passwordLengthMax
    }
  }
`);
