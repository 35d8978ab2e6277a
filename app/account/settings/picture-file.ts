/** The largest accepted picture, in bytes. */
export const MOST_PICTURE_BYTES = 5 * 1024 * 1024

export const PICTURE_TOO_LARGE = 'This picture is too large: it can have at most 5 MB.'
