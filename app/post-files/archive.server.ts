import { stop } from '#app/platform/stop.ts'
import { readZip, type ZipFile } from './zip-reader.server.ts'

export type ArchiveFile = ZipFile

export type Archive = {
  posts: ArchiveFile[]
  /** Pictures, by their place. */
  pictures: ReadonlyMap<string, ArchiveFile>
  refused: { name: string; reason: string }[]
  /** The one folder that everything lies in, with its slash, or nothing. */
  root: string
}

const JUNK = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i
const POST = /\.(md|markdown)$/i
const PICTURE = /\.(png|jpe?g|webp|avif|gif|svg)$/i

/** What lies in an archive, sorted. A name is never the name of a file of ours; one that leads out of the archive is refused all the same. */
export function openArchive(bytes: Buffer): Archive {
  const files = readZip(bytes).filter(({ name }) => !JUNK.test(name) || /(^|\/)\.\.\//.test(name))
  const seen = new Set<string>()
  const archive = {
    posts: new Array<ArchiveFile>(),
    pictures: new Map<string, ArchiveFile>(),
    refused: new Array<{ name: string; reason: string }>(),
  }
  for (const file of files) {
    const reason = refusalOf(file.name, seen)
    seen.add(file.name)
    if (reason) archive.refused.push({ name: file.name.slice(0, 300), reason })
    else if (POST.test(file.name)) archive.posts.push(file)
    else archive.pictures.set(file.name, file)
  }
  if (archive.posts.length === 0) stop('unprocessable', 'There is no Markdown file in this archive.')
  return { ...archive, root: rootOf([...seen]) }
}

function refusalOf(name: string, seen: ReadonlySet<string>): string | undefined {
  if (/(^|\/)\.\.?(\/|$)|^\/|^[a-z]:|[\\\0]/i.test(name)) return 'Its name leads out of the archive.'
  if (seen.has(name)) return 'Another file of the archive has this name.'
  if (!POST.test(name) && !PICTURE.test(name)) return 'It is neither Markdown nor a picture.'
  return undefined
}

function rootOf(names: readonly string[]): string {
  const [first = ''] = names[0]?.match(/^[^/]+\//) ?? []
  return first && names.every((name) => name.startsWith(first)) ? first : ''
}
