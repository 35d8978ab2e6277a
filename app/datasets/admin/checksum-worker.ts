import { sha256 } from '@noble/hashes/sha2.js'

/**
 * Reads a file once, in chunks, and returns its SHA-256. A worker keeps the page responsive, and the browser's own digest needs the whole
 * file in memory.
 */
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  if (data instanceof File) void checksumOf(data).then((checksum) => postMessage(checksum))
})

async function checksumOf(file: File): Promise<string | null> {
  try {
    const hash = sha256.create()
    const reader = file.stream().getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) hash.update(read.value)
    return Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join('')
  } catch {
    // The file was moved or deleted; the upload reports that.
    return null
  }
}
