/** Uploads by the tus protocol. */
export const UPLOADS = '/api/dataset-uploads'
export const TUS_VERSION = '1.0.0'
export const CHUNK_TYPE = 'application/offset+octet-stream'

/** In bytes: 2 GB. */
export const MOST_UPLOAD = 2 * 1024 ** 3

/**
 * In bytes: a chunk of our own pages, a part in a bucket (5 MiB is the least there), and the most that a killed process has to receive again.
 */
export const PART_BYTES = 8_000_000

/** An upload in a bucket: its multipart upload, the tags of whole parts, and the bytes that are stored after them. */
export type StoredParts = { uploadId: string; tags: string[]; tail: number }

/** An upload that receives nothing for this long is deleted. */
export const STALE_DAYS = 2
