// Announcements of staff to customers, shown above every page, and the desk's operations on them.
import { graphql, type ResultOf } from '../graphql.ts';

export const Announcements = graphql(`
  query Announcements {
    me {
      id
      announcements {
        id
        title {
          en
          de
        }
        text {
          en
          de
        }
      }
    }
  }
`);

export const AnnouncementDismiss = graphql(`
  mutation AnnouncementDismiss($id: ID!) {
    announcementDismiss(id: $id)
  }
`);

export const SupportAnnouncements = graphql(`
  query SupportAnnouncements($open: Boolean) {
    supportAnnouncements(open: $open) {
      id
      audience
      title {
        en
        de
      }
      text {
        en
        de
      }
      showsFrom
      showsUntil
      endedAt
      dismissals
    }
  }
`);

export type PublishedAnnouncement = ResultOf<typeof SupportAnnouncements>['supportAnnouncements'][number];

export const SupportAnnouncementPublish = graphql(`
  mutation SupportAnnouncementPublish($input: SupportAnnouncementInput!) {
    supportAnnouncementPublish(input: $input) {
      id
    }
  }
`);

export const SupportAnnouncementEnd = graphql(`
  mutation SupportAnnouncementEnd($id: ID!) {
    supportAnnouncementEnd(id: $id) {
      id
    }
  }
`);
