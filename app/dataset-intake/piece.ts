/** In bytes: what one request may bring, so that it is over before the server loses patience. */
export const MOST_PIECE = 64 * 1024 ** 2
export const PIECE_TYPE = 'application/offset+octet-stream'
