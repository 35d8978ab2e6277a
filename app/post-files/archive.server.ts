import { stop } from '#app/platform/stop.ts'
import { type ExportedPost, TAKEN } from './exported-post.ts'
import { readZip, type ZipFile } from './zip-reader.server.ts'

/** `exported`: one of the posts in the export of another program. */
export type ArchiveFile = ZipFile & { exported?: ExportedPost }

export type Archive = {
  posts: ArchiveFile[]
  /** Exports of other programs, with many posts each. */
  exports: ArchiveFile[]
  /** Pictures, by their place. */
  pictures: ReadonlyMap<string, ArchiveFile>
  refused: { name: string; reason: string }[]
  /** The one folder that everything lies in, with its slash, or nothing. */
  root: string
}

const JUNK = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i
const POST = /\.(md|markdown)$/i
const EXPORT = /\.(xml|json)$/i
const PICTURE = /\.(png|jpe?g|webp|avif|gif|svg)$/i

/** What lies in an archive, or an export that comes without one, sorted. A name is never the name of a file of ours; one that leads out of the archive is refused all the same. */
export function openArchive(bytes: Buffer): Archive {
  const files = filesIn(bytes).filter(({ name }) => !JUNK.test(name) || /(^|\/)\.\.\//.test(name))
  const seen = new Set<string>()
  const archive = {
    posts: new Array<ArchiveFile>(),
    exports: new Array<ArchiveFile>(),
    pictures: new Map<string, ArchiveFile>(),
    refused: new Array<{ name: string; reason: string }>(),
  }
  for (const file of files) {
    const reason = refusalOf(file.name, seen)
    seen.add(file.name)
    if (reason) archive.refused.push({ name: file.name.slice(0, 300), reason })
    else if (POST.test(file.name)) archive.posts.push(file)
    else if (EXPORT.test(file.name)) archive.exports.push(file)
    else archive.pictures.set(file.name, file)
  }
  if (archive.posts.length + archive.exports.length === 0) stop('unprocessable', `This archive holds no post. ${TAKEN}`)
  return { ...archive, root: rootOf([...seen]) }
}

/** XML and JSON begin with a sign that no archive begins with. */
function filesIn(bytes: Buffer): ZipFile[] {
  const [, sign] = /^(?:\uFEFF)?\s*([<{])/.exec(bytes.subarray(0, 64).toString('utf8')) ?? []
  if (!sign) return readZip(bytes)
  return [{ name: sign === '<' ? 'export.xml' : 'export.json', size: bytes.length, read: async () => bytes }]
}

function refusalOf(name: string, seen: ReadonlySet<string>): string | undefined {
  if (/(^|\/)\.\.?(\/|$)|^\/|^[a-z]:|[\\\0]/i.test(name)) return 'Its name leads out of the archive.'
  if (seen.has(name)) return 'Another file of the archive has this name.'
  if (![POST, EXPORT, PICTURE].some((kind) => kind.test(name))) return 'It is neither Markdown, nor an export, nor a picture.'
  return undefined
}

function rootOf(names: readonly string[]): string {
  const [first = ''] = names[0]?.match(/^[^/]+\//) ?? []
  return first && names.every((name) => name.startsWith(first)) ? first : ''
}
