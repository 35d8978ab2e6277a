/** Where a sign-in came from, kept with its session so that a person can recognise it. `ownPages`: our own pages asked, not another program. */
export type Client = {
  address: string
  userAgent: string | undefined
  ownPages?: boolean
  /** A hash of what only the browser of a sign-up can show, where this is one. */
  signUpBrowser?: string | undefined
}
