import type { Archive, ArchiveFile } from './archive.server.ts'
import { type ExportedPost, type PostExport, TAKEN } from './exported-post.ts'
import { readGhost } from './ghost-export.server.ts'
import { toMarkdown } from './html-to-markdown.server.ts'
import { readText } from './read-text.server.ts'
import { readWordPress } from './wordpress-export.server.ts'

const MOST_EXPORT_BYTES = 20 * 1024 * 1024

/** The archive with the posts of each export in it, each as a file of its own. */
export async function withExports(archive: Archive): Promise<Archive> {
  const opened: Archive = { ...archive, posts: [...archive.posts], refused: [...archive.refused] }
  for (const file of archive.exports) {
    const read = await readExport(file)
    if ('reason' in read) opened.refused.push({ name: file.name, reason: `${read.reason} ${TAKEN}` })
    else {
      opened.posts.push(...read.posts.map((exported) => ({ ...file, name: nameOf(file, exported), exported })))
      for (const [at, reason] of read.refused.entries()) opened.refused.push({ name: `${file.name}, left out ${at + 1}`, reason })
    }
  }
  return opened
}

async function readExport(file: ArchiveFile): Promise<PostExport | { reason: string }> {
  const text = await readText(file, MOST_EXPORT_BYTES)
  if (typeof text !== 'string') return text
  return /\.json$/i.test(file.name) ? readGhost(text) : readWordPress(text)
}

function nameOf({ name }: ArchiveFile, { title }: ExportedPost): string {
  return `${name}: ${title.slice(0, 120)}`
}

type Matter = ReadonlyMap<string, unknown>

/** The text and front matter of an exported post, with its pictures where they lie in the archive. */
export async function exportedSource(
  exported: ExportedPost,
  archive: Archive,
): Promise<{ matter: Matter; content: string; notes: string[] } | { reason: string }> {
  const places = placesByEnding(archive)
  const notes = [...exported.notes]
  const relink = (address: string, isPicture: boolean) => {
    const place = placeOf(address, places)
    if (place !== undefined) return `/${place.slice(archive.root.length).split('/').map(encodeURIComponent).join('/')}`
    const kept = address.replace(/^http:\/\//i, 'https://').replace(/^__GHOST_URL__\//, '/')
    if (isPicture && /^https:/i.test(kept)) notes.push(`${kept.slice(0, 200)}: This picture is not in the archive; its address stays.`)
    return kept
  }
  const content = await toMarkdown(exported.html, relink)
  if (typeof content !== 'string') return content
  const { title, slug, published, date, excerpt, tags, image, metaTitle, metaDescription } = exported
  const matter = new Map<string, unknown>([
    ['title', title],
    ['slug', slug],
    ['date', date],
    ['published', published],
    ['excerpt', excerpt && plainText(excerpt)],
    ['tags', takenTags(tags, notes)],
    ['featuredimage', image && relink(image, true)],
    ['metatitle', metaTitle],
    ['metadescription', metaDescription],
  ])
  return { matter, content, notes }
}

const MOST_TAGS = 20
const LONGEST_TAG = 40

function takenTags(tags: readonly string[], notes: string[]): string[] {
  const known = [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))]
  const taken = known.filter((tag) => tag.length <= LONGEST_TAG).slice(0, MOST_TAGS)
  if (taken.length < known.length)
    notes.push(`${known.length - taken.length} tags are left out: a post has at most ${MOST_TAGS}, each of ${LONGEST_TAG} characters.`)
  return taken
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Each picture by every ending of its place; an ending that two share stands for neither. */
function placesByEnding({ pictures }: Archive): Map<string, string | undefined> {
  const places = new Map<string, string | undefined>()
  for (const name of pictures.keys()) {
    const steps = name.split('/')
    for (let at = 0; at < steps.length; at += 1) {
      const ending = steps.slice(at).join('/')
      places.set(ending, places.has(ending) ? undefined : name)
    }
  }
  return places
}

/** Where a picture of the old site lies in the archive: by the longest ending that both share, in its full size where only that is there. */
function placeOf(address: string, places: ReadonlyMap<string, string | undefined>): string | undefined {
  const url = URL.parse(address.replace(/^__GHOST_URL__/, ''), 'https://old.invalid')
  if (!url || !/\.(?:png|jpe?g|webp|avif|gif|svg)$/i.test(url.pathname)) return undefined
  const path = decoded(url.pathname).replace(/^\//, '')
  const full = path.replace(/-\d{1,5}x\d{1,5}(?=\.\w+$)/, '').replace(/(^|\/)size\/w\d{1,5}\//, '$1')
  return [path, full].map((one) => longestEnding(one.split('/'), places)).find((place) => place !== undefined)
}

function longestEnding(steps: readonly string[], places: ReadonlyMap<string, string | undefined>): string | undefined {
  return steps.map((_step, at) => places.get(steps.slice(at).join('/'))).find((place) => place !== undefined)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
