import { isDeepStrictEqual } from 'node:util'
import { logBug } from '#app/platform/process/log.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { type Post, type PostBody, postFieldNames } from '#app/blog/posts/post.ts'
import { kindOfPicture, NO_PICTURE } from '#app/platform/storage/picture-kind.ts'
import { findSameImage, storeImage } from '#app/blog/images/image.server.ts'
import { findImageReferences } from '#app/blog/images/picture.server.ts'
import { type Image, MOST_ALT } from '#app/blog/images/image.ts'
import { characterCount, oneLine } from '#app/platform/text/clean-text.ts'
import { imageAddress } from '#app/blog/images/picture.ts'
import type { DateOrder } from '#app/platform/reading/column-reading.ts'
import { type Archive, type ArchiveFile, openArchive } from './archive.server.ts'
import type { ExportedPost } from './exported-post.ts'
import { exportedSource, withExports } from './exported-files.server.ts'
import { acquireImportLock, type ImportLock } from './import-lock.server.ts'
import { readFrontMatter } from './front-matter.server.ts'
import { listPictureLinks, placesOf, replaceLinks } from './picture-link.ts'
import type { ConflictChoice, ImportedFile } from './post-file.ts'
import { readText } from './read-text.server.ts'
import { type PostDate, readDates } from './post-dates.server.ts'
import { readPost, writtenDate } from './post-source.server.ts'

/** Reads and writes on behalf of one editor. */
export type Blog = {
  editorId: string
  find: (slug: string) => Promise<Post | undefined>
  create: (body: PostBody) => Promise<unknown>
  /** Replaces the post only at this version. */
  replace: (id: string, body: PostBody, version: number) => Promise<unknown>
  /** Redirects an old path to a post. Returns the reason when it cannot. */
  lead: (oldPath: string, slug: string, dry: boolean) => Promise<string | undefined>
  /** The account of another writer, if the editor may assign posts to them. */
  findAuthor: (email: string) => Promise<string | undefined>
}
type Choice = { dry: boolean; onConflict: ConflictChoice; dateOrder?: DateOrder | undefined }
type Source = Exclude<ReturnType<typeof readPost>, { reason: string }>
type Report = Omit<ImportedFile, 'of'>
/** The state of one import. */
type Begun = Choice & { turn: ImportLock; archive: Archive; blog: Blog; taken: Map<string, ImportedImage>; slugs: Map<string, string> }
type Run = Begun & { dateOf: (text: string) => PostDate }

const MOST_POST_BYTES = 1024 * 1024

/**
 * Imports an archive and yields the outcome of each file; a dry run yields what would happen. Each post is written separately, so reported
 * outcomes are final. The archive is validated before the first outcome. Only one import runs at a time, across all processes.
 */
export async function importArchive(bytes: Buffer, choice: Choice, blog: Blog): Promise<AsyncGenerator<ImportedFile>> {
  const archive = openArchive(bytes)
  const turn = await acquireImportLock()
  return goThrough({ ...choice, turn, archive, blog, taken: new Map(), slugs: new Map() })
}

async function* goThrough(begun: Begun): AsyncGenerator<ImportedFile> {
  try {
    const run = await begun.turn.hold(async () => {
      const archive = await withExports(begun.archive)
      return { ...begun, archive, dateOf: await readDates(archive, MOST_POST_BYTES, begun.dateOrder) }
    })
    const { posts, pictures, refused } = run.archive
    const of = posts.length + pictures.size + refused.length
    for (const { name, reason } of refused) yield { name, state: 'refused', reason, of }
    for (const file of posts) yield { ...(await reportOf(file, run)), of }
    for (const name of pictures.keys()) yield { ...pictureReport(name, run.taken.get(name)), of }
  } finally {
    await begun.turn.end()
  }
}

function pictureReport(name: string, taken: ImportedImage | undefined): Report {
  if (!taken) return { name, state: 'refused', reason: 'No post in the archive uses it.' }
  if (taken.reason) return { name, state: 'refused', reason: taken.reason }
  return { name, state: taken.isNew ? 'new' : 'same' }
}

/** A failure of one file does not stop the others. */
async function reportOf(file: ArchiveFile, run: Run): Promise<Report> {
  try {
    return await run.turn.hold(async () => take(file, run))
  } catch (error) {
    if (error instanceof Stop) return { name: file.name, state: 'refused', reason: error.data }
    logBug(error, {})
    return { name: file.name, state: 'failed', reason: 'Something went wrong on our side. We have been notified.' }
  }
}

async function take(file: ArchiveFile, run: Run): Promise<Report> {
  const { name, exported } = file
  const source = exported ? await exportedSource(exported, run.archive) : await sourceOf(file)
  if ('reason' in source) return { name, state: 'refused', ...source }
  const place = exported ? exported.slug : name.slice(run.archive.root.length)
  const written = writtenDate(place, source.matter)
  const date: PostDate = written === undefined ? {} : run.dateOf(written)
  if ('reason' in date) return { name, state: 'refused', ...date }
  const { moment, note, question } = date
  if (question && !moment && !run.dry) return { name, state: 'refused', reason: openDate(question) }
  const read = readPost(place, source.matter, { text: source.content, moment })
  if ('reason' in read) return { name, state: 'refused', ...read }
  const { slug, title, published: isPublished } = read.body
  const other = run.slugs.get(slug)
  if (other) return { name, state: 'refused', reason: `${other} has the same slug: ${slug}` }
  run.slugs.set(slug, name)
  const before = await run.blog.find(slug)
  const known = { name, slug, title, isPublished, ...(question && { dateQuestion: question }) }
  if (before && run.onConflict === 'skip' && !run.dry) return { ...known, state: 'kept' }
  const { body, notes } = await withPictures(read, file, run)
  notes.unshift(...(note ? [note] : []), ...source.notes)
  if (exported?.author && !before) body.authorId = await authorOf(exported.author, run, notes)
  const state = await write(body, before, run)
  const oldPath = isPublished && state !== 'kept' ? await leadFrom(exported, slug, run, notes) : undefined
  return { ...known, state, ...(oldPath !== undefined && { oldPath }), ...(notes.length > 0 && { notes }) }
}

/** A date with two readings is not guessed. */
function openDate({ text, readings }: NonNullable<ImportedFile['dateQuestion']>): string {
  return `Its date can be read in several ways: “${text.slice(0, 60)}” is ${readings.map(({ value, reads }) => `${reads} (dateOrder=${value})`).join(' or ')}.`
}

/** A Markdown file with front matter. */
async function sourceOf(file: ArchiveFile) {
  const text = await readText(file, MOST_POST_BYTES)
  if (typeof text !== 'string') return text
  const source = readFrontMatter(text)
  return 'reason' in source ? source : { ...source, notes: [] }
}

async function authorOf({ name, email }: { name: string; email: string }, { blog }: Run, notes: string[]): Promise<string | undefined> {
  const found = email ? await blog.findAuthor(email) : undefined
  if (found === undefined) notes.push(`You cannot assign it to its author ${name.slice(0, 100)}; you are its author now.`)
  return found
}

/** The old path that redirects to the post; `undefined` when it has none, or the redirect is refused. */
async function leadFrom(
  exported: ExportedPost | undefined,
  slug: string,
  { blog, dry }: Run,
  notes: string[],
): Promise<string | undefined> {
  const { oldPath } = exported ?? {}
  if (oldPath === undefined || oldPath.replace(/\/$/, '') === `/blog/${slug}`) return undefined
  const reason = await blog.lead(oldPath, slug, dry)
  if (reason !== undefined) notes.push(`No redirect from ${oldPath.slice(0, 200)}: ${reason}`)
  return reason === undefined ? oldPath : undefined
}

/** Stores the images of a post. Links that could not be resolved stay, with a note. */
async function withPictures({ body, cover }: Source, file: ArchiveFile, run: Run): Promise<{ body: PostBody; notes: string[] }> {
  const links = listPictureLinks(body.content)
  if (cover && !links.has(cover)) links.set(cover, body.title)
  const urls = new Map<string, string>()
  const notes: string[] = []
  for (const [link, alt] of links) {
    const taken = await followLink(link, alt, file, run)
    if (taken.url) urls.set(link, taken.url)
    if (taken.reason) notes.push(`${link.slice(0, 200)}: ${taken.reason}`)
  }
  const featuredImage = cover ? urls.get(cover) : body.featuredImage
  return { body: { ...body, featuredImage, content: replaceLinks(body.content, urls) }, notes }
}

async function followLink(link: string, alt: string, file: ArchiveFile, run: Run): Promise<ImportedImage> {
  const found = placesOf(link, file.name, run.archive.root)
    .map((place) => run.archive.pictures.get(place))
    .find(Boolean)
  const isKnown = await isKnownPicture(link)
  const here = { isNew: false, ...(isKnown && { url: link }) }
  if (!found) return isKnown ? here : { reason: 'This image is not in the archive.', isNew: false }
  const before = run.taken.get(found.name)
  if (before && !isKnown) return before
  if (isKnown) {
    run.taken.set(found.name, before ?? here)
    return here
  }
  const taken = await importImage(found, { dry: run.dry, editorId: run.blog.editorId, alt, link })
  run.taken.set(found.name, taken)
  return taken
}

/** Replaces only the version that was compared, so a concurrent edit is never overwritten. */
async function write(body: PostBody, before: Post | undefined, { dry, onConflict, blog }: Run): Promise<ImportedFile['state']> {
  if (before && isSame(body, before)) return 'same'
  if (before && onConflict === 'skip') return 'kept'
  if (!dry && before) await blog.replace(before.id, body, before.version)
  if (!dry && !before) await blog.create(body)
  return before ? 'changed' : 'new'
}

/** A missing excerpt or date counts as unchanged. */
const derived: ReadonlySet<string> = new Set(['excerpt', 'publishedAt'])

function isSame(body: PostBody, before: Post): boolean {
  return postFieldNames.every((name) => (derived.has(name) && !body[name]) || isDeepStrictEqual(body[name] || null, before[name] || null))
}

/** The outcome for an image of an archive: its URL here, or the reason for its refusal. Both are missing until it is imported. */
type ImportedImage = { url?: string; reason?: string; isNew: boolean }

type Context = { dry: boolean; editorId: string; alt: string; link: string }

/**
 * Imports an image of an archive unless it exists. An image from our own export keeps its id, so links to it stay valid. A dry run imports
 * nothing.
 */
async function importImage({ name, read }: ArchiveFile, { dry, editorId, alt, link }: Context): Promise<ImportedImage> {
  const bytes = await read()
  if (!bytes) return { reason: 'it is damaged', isNew: false }
  if (!kindOfPicture(bytes)) return { reason: NO_PICTURE, isNew: false }
  const known = await findSameImage(bytes)
  if (known) return { url: sameAddress(link, known), isNew: false }
  if (dry) return { isNew: true }
  try {
    const [, id] = /(?:^|\/)images\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\/[^/]+$/.exec(name) ?? []
    const given = oneLine(alt)
    const kept = await storeImage(bytes, { name, id, ...(characterCount(given) <= MOST_ALT && { alt: given }) }, editorId)
    return { url: sameAddress(link, kept), isNew: true }
  } catch (error) {
    if (error instanceof Stop) return { reason: error.data, isNew: false }
    throw error
  }
}

/** Whether a link points to an image in the library. */
async function isKnownPicture(link: string): Promise<boolean> {
  const { id } = imageAddress(link) ?? {}
  return id !== undefined && (await findImageReferences([id])).size > 0
}

/** A link to any size of the image stays as it is. */
function sameAddress(link: string, { id, url }: Image): string {
  return imageAddress(link)?.id === id ? link : url
}
