/** What our pages present in place of the refresh token that they do not have. */
export const HELD_BY_SERVER = 'held-by-server'
