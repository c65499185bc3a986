export interface ChatPerson {
  id: string;
  username: string;
  email: string | null;
  /** Whether the platform has verified the e-mail address: many do not. */
  verified: boolean;
}
