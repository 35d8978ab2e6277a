import { readForeignText } from '#app/platform/text/foreign-text.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { type ExportedPost, IMPORTABLE } from './exported-post.ts'
import { readZip, type ZipFile } from './zip-reader.server.ts'

/** `exported` is one of the posts in another program's export. */
export type ArchiveFile = ZipFile & { exported?: ExportedPost }

export type Archive = {
  posts: ArchiveFile[]
  /** Exports of other programs, with many posts each. */
  exports: ArchiveFile[]
  /** Images by path. */
  pictures: ReadonlyMap<string, ArchiveFile>
  refused: { name: string; reason: string }[]
  /** The single top-level folder with its slash, or an empty string. */
  root: string
}

const JUNK = /(^|\/)(__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i
const POST = /\.(md|markdown)$/i
const EXPORT = /\.(xml|json)$/i
const PICTURE = /\.(png|jpe?g|webp|avif|gif|svg)$/i

/**
 * The sorted contents of an archive, or of a bare export file. Names from the archive never become file paths here; a name with `..` is
 * refused all the same.
 */
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
  if (archive.posts.length + archive.exports.length === 0) stop('unprocessable', `This archive contains no posts. ${IMPORTABLE}`)
  return { ...archive, root: rootOf([...seen]) }
}

/** No archive begins like XML or JSON. */
function filesIn(bytes: Buffer): ZipFile[] {
  const [, sign] = /^\s*([<{])/.exec(readForeignText(bytes.subarray(0, 64))) ?? []
  if (!sign) return readZip(bytes)
  return [{ name: sign === '<' ? 'export.xml' : 'export.json', size: bytes.length, read: async () => bytes }]
}

function refusalOf(name: string, seen: ReadonlySet<string>): string | undefined {
  if (/(^|\/)\.\.?(\/|$)|^\/|^[a-z]:|[\\\0]/i.test(name)) return 'Its path leaves the archive.'
  if (seen.has(name)) return 'Another file in the archive has the same name.'
  if (![POST, EXPORT, PICTURE].some((kind) => kind.test(name))) return 'It is not a Markdown file, an export or an image.'
  return undefined
}

function rootOf(names: readonly string[]): string {
  const [first = ''] = names[0]?.match(/^[^/]+\//) ?? []
  return first && names.every((name) => name.startsWith(first)) ? first : ''
}
