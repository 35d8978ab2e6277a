/** The origin of a sign-in, stored with its session so that the user can recognize it. `ownPages`: the request came from our own pages. */
export type Client = {
  address: string
  userAgent: string | undefined
  ownPages?: boolean
  /** For a sign-up: a hash of a secret that only its browser has. */
  signUpBrowser?: string | undefined
}
