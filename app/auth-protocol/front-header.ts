/** Sent by our own pages: their refresh token is kept in a cookie by the server, and their code never sees it. */
export const FRONT_HEADER = 'x-session-front'
