/** The stand-in that our pages send instead of the refresh token, which they never see. */
export const HELD_BY_SERVER = 'held-by-server'
