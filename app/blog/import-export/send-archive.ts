import type { Zippable } from 'fflate'
import { ApiError } from '#app/platform/browser/api.ts'
import { problem } from '#app/platform/errors/problem.ts'
import { ImportRefusal } from '#app/ui/admin/use-import.ts'
import { ARCHIVE_TOO_LARGE, type ConflictChoice, POST_IMPORT, type ImportedFile, importedFile, MOST_ARCHIVE_BYTES } from './post-file.ts'

type Sending = {
  archive: Blob
  dry: boolean
  onConflict: ConflictChoice
  dateOrder?: string | undefined
  onFile: (file: ImportedFile) => void
}

/** Uploads an archive and reports the outcome of each file as it arrives. */
export async function sendArchive({ archive, dry, onConflict, dateOrder, onFile }: Sending): Promise<ImportedFile[]> {
  if (archive.size > MOST_ARCHIVE_BYTES) throw new ImportRefusal(ARCHIVE_TOO_LARGE)
  const response = await fetch(`${POST_IMPORT}?${new URLSearchParams({ dry: String(dry), onConflict, ...(dateOrder && { dateOrder }) })}`, {
    method: 'POST',
    credentials: 'include',
    headers: { 'content-type': 'application/zip' },
    body: archive,
  })
  if (!response.ok || !response.body) throw await toError(response)
  const files: ImportedFile[] = []
  for await (const line of linesOf(response.body)) {
    const file = importedFile.parse(JSON.parse(line))
    files.push(file)
    onFile(file)
  }
  if (files.length < (files[0]?.of ?? 1))
    throw new ImportRefusal('The connection was lost before the report was complete. Reported files are imported.')
  return files
}

/** Packs a folder in the browser, so that the server handles a single format. */
export async function packFolder(files: readonly File[]): Promise<Blob> {
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (size > 4 * MOST_ARCHIVE_BYTES) throw new ImportRefusal(ARCHIVE_TOO_LARGE)
  const { zipSync } = await import('fflate')
  const contents = await Promise.all(
    files.map(async (file) => [file.webkitRelativePath || file.name, new Uint8Array(await file.arrayBuffer())] as const),
  )
  const packed: Zippable = {}
  for (const [name, bytes] of contents) packed[name] = [bytes, { level: /\.(md|markdown|xml|json)$/i.test(name) ? 6 : 0 }]
  return new Blob([zipSync(packed)])
}

async function* linesOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let held = ''
  for (;;) {
    const { done, value = '' } = await reader.read()
    const lines = (held + value).split('\n')
    held = lines.pop() ?? ''
    yield* lines
    if (done) return
  }
}

async function toError(response: Response): Promise<ApiError> {
  const text = await response.text()
  return new ApiError(response.status, text || response.statusText, readProblem(text))
}

function readProblem(text: string) {
  try {
    return problem.safeParse(JSON.parse(text)).data
  } catch {
    // A proxy may respond with HTML.
    return undefined
  }
}
