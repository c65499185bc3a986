export interface ChatPerson {
  id: string;
  username: string;
  email: string | null;
  /** Whether the platform has checked the address: many do not. */
  verified: boolean;
}
