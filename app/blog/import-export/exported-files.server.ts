import { foreignLink } from '#app/platform/text/foreign-link.ts'
import type { Archive, ArchiveFile } from './archive.server.ts'
import { type ExportedPost, type PostExport, IMPORTABLE } from './exported-post.ts'
import { readGhost } from './ghost-export.server.ts'
import { toMarkdown } from './html-to-markdown.server.ts'
import { readText } from './read-text.server.ts'
import { readWordPress } from './wordpress-export.server.ts'

const MOST_EXPORT_BYTES = 20 * 1024 * 1024

/** The archive with each post of its exports as a file. */
export async function withExports(archive: Archive): Promise<Archive> {
  const opened: Archive = { ...archive, posts: [...archive.posts], refused: [...archive.refused] }
  for (const file of archive.exports) {
    const read = await readExport(file)
    if ('reason' in read) opened.refused.push({ name: file.name, reason: `${read.reason} ${IMPORTABLE}` })
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

/** A place in the post, or another page of the blog that Ghost exports. Nothing else leads into our site. */
function isWithinBlog(address: string): boolean {
  return address.startsWith('#') || /^__GHOST_URL__\/(?!\/|api\b|auth\b)/i.test(address)
}

/** The text and front matter of an exported post, linked to its images in the archive. */
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
    if (isPicture && /^https:/i.test(kept)) notes.push(`${kept.slice(0, 200)}: This image is not in the archive; its URL stays.`)
    return isPicture || isWithinBlog(address) ? kept : (foreignLink(URL.parse(kept, exported.link)?.href) ?? '')
  }
  const content = toMarkdown(exported.html, relink)
  if (typeof content !== 'string') return content
  const { title, slug, published, date, excerpt, tags, image, metaTitle, metaDescription } = exported
  const matter = new Map<string, unknown>([
    ['title', title],
    ['slug', slug],
    ['date', date],
    ['published', published],
    ['excerpt', excerpt && plainText(excerpt)],
    ['tags', acceptedTags(tags, notes)],
    ['featuredimage', image && relink(image, true)],
    ['metatitle', metaTitle],
    ['metadescription', metaDescription],
  ])
  return { matter, content, notes }
}

const MOST_TAGS = 20
const LONGEST_TAG = 40

function acceptedTags(tags: readonly string[], notes: string[]): string[] {
  const known = [...new Set(tags.map((tag) => tag.trim()).filter(Boolean))]
  const taken = known.filter((tag) => tag.length <= LONGEST_TAG).slice(0, MOST_TAGS)
  if (taken.length < known.length)
    notes.push(`${known.length - taken.length} tags are skipped: a post can have ${MOST_TAGS} tags of ${LONGEST_TAG} characters each.`)
  return taken
}

function plainText(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Images by every suffix of their path; a suffix that two images share is ambiguous and matches neither. */
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

/** Finds an image of the old site in the archive by the longest common suffix. Falls back from a resized file to the full size. */
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
