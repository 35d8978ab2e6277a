/** Computes the SHA-256 of a file in a worker. Undefined if that fails: then only the server computes one. */
export function checksumOf(file: File): Promise<string | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./checksum-worker.ts', import.meta.url), { type: 'module' })
    const end = (checksum: unknown) => {
      worker.terminate()
      resolve(typeof checksum === 'string' ? checksum : undefined)
    }
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => end(data))
    worker.addEventListener('error', () => end(undefined))
    // The worker is same-origin, and its messages have no target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(file)
  })
}
