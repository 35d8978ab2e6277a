import { sha256 } from '@noble/hashes/sha2.js'

/** Reads a file once, piece by piece, and answers its SHA-256. In a thread of its own: the page stays quick, and the browser's own digest needs it whole. */
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
    // The file was taken away: the upload says so.
    return null
  }
}
