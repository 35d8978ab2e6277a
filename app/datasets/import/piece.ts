/** The maximum bytes per request, so that it ends before the server's timeout. */
export const MOST_PIECE = 64 * 1024 ** 2
export const PIECE_TYPE = 'application/offset+octet-stream'
