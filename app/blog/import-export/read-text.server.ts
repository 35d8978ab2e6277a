import type { ZipFile } from './zip-reader.server.ts'

/** A file of an archive as text, or the reason why it is none. */
export async function readText({ size, read }: ZipFile, mostBytes: number): Promise<string | { reason: string }> {
  if (size > mostBytes) return { reason: `It is larger than ${mostBytes / 1024 / 1024} MB.` }
  const bytes = await read()
  if (!bytes) return { reason: 'It is damaged.' }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return { reason: 'It is not written in UTF-8.' }
  }
}
