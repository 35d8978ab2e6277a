import { Zip, ZipPassThrough } from 'fflate'
import { invoiceFile } from '#app/billing/invoices/make.server.ts'
import { openFile } from '#app/platform/storage/storage.server.ts'
import { documentsOf } from './month-files.server.ts'

/** The documents of a month as a ZIP, one after the other: only one of them is in memory. Documents whose files are not made yet are listed. */
export async function* documentsArchive(month: string): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const archive = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  const add = (name: string, bytes: Uint8Array) => {
    const file = new ZipPassThrough(name)
    archive.add(file)
    file.push(bytes, true)
  }
  const missing: string[] = []
  for (const { id, document } of await documentsOf(month)) {
    for (const kind of ['pdf', 'xml'] as const) {
      const bytes = await read(invoiceFile(id, kind))
      if (bytes) add(`${document.number}.${kind}`, bytes)
      else if (kind === 'pdf') missing.push(document.number)
      yield* ready.splice(0)
    }
  }
  if (missing.length > 0) add('missing.txt', Buffer.from(`These documents have no file yet:\r\n${missing.join('\r\n')}\r\n`))
  archive.end()
  yield* ready.splice(0)
}

async function read(key: string): Promise<Uint8Array | undefined> {
  const file = await openFile(key)
  if (!file) return undefined
  const chunks: Buffer[] = []
  for await (const chunk of file.stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
