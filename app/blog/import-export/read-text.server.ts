import { readForeignText } from '#app/platform/text/foreign-text.ts'
import type { ZipFile } from './zip-reader.server.ts'

/** A file of an archive as text, or the reason why it is none. */
export async function readText({ size, read }: ZipFile, mostBytes: number): Promise<string | { reason: string }> {
  if (size > mostBytes) return { reason: `It is larger than ${mostBytes / 1024 / 1024} MB.` }
  const bytes = await read()
  if (!bytes) return { reason: 'It is damaged.' }
  const text = readForeignText(bytes, declaredIn(bytes))
  return text.includes('\0') ? { reason: 'It is not a text file.' } : text
}

/** The charset in the first line of an XML file. */
function declaredIn(bytes: Buffer): string | undefined {
  return /^\s*<\?xml[^>]{0,200}\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/.exec(bytes.toString('latin1', 0, 300))?.[1]
}
