/** No person fills in a form faster. Our form delays the request to this minimum, so a faster one is suspicious. */
export const LEAST_FILL_MS = 2_000
