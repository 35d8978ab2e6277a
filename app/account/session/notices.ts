/** Notices about a person's own account, on every page until they are resolved. */
export type Notices = {
  /** The password is shorter than the minimum for staff. */
  hasShortPassword: boolean
  /** The account sees other people's data, protected only by a password. */
  lacksFactor: boolean
  /** The deadline to set up a second factor and keep staff rights, where it is required. */
  factorDueAt: string | null
  /** The deadline has passed: staff rights are paused. */
  isPaused: boolean
  /** When the account will be deleted, at its owner's request. */
  deletionDueAt: string | null
}
