/** What people are told about their own account, on each of their pages, until they see to it. */
export type Notices = {
  /** Shorter than those of staff have to be by now. */
  hasShortPassword: boolean
  /** They see other people's data, and a password alone opens it. */
  lacksFactor: boolean
  /** Until when they have to set one up to keep their staff rights, where that is required. */
  factorDueAt: string | null
  /** That time is over. */
  isPaused: boolean
  /** When the account will be deleted, as they have asked. */
  deletionDueAt: string | null
}
