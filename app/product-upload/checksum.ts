/** The SHA-256 of a file, made beside the page. Nothing where it cannot be made: then that of the server stands alone. */
export function checksumOf(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./checksum-worker.ts', import.meta.url), { type: 'module' })
    const end = (checksum: unknown) => {
      worker.terminate()
      resolve(typeof checksum === 'string' ? checksum : undefined)
    }
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => end(data))
    worker.addEventListener('error', () => end(undefined))
    // A worker is of our own origin, and its messages name none.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(file)
  })
}
