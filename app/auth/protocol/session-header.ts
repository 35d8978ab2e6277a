/** Sent by our own pages. The server puts their refresh token in a cookie that page code cannot read. */
export const OWN_PAGES_HEADER = 'x-session-front'

/** Sent by our own pages: the address of the page before them, on another site. */
export const REFERRER_HEADER = 'x-referrer'
