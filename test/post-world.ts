import { sql } from 'kysely'
import { discardDraft, findDraft, savePostDraft } from '#app/blog/posts/draft.server.ts'
import { restoreRevision } from '#app/blog/posts/revision.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import type { Post, PostBody } from '#app/blog/posts/post.ts'
import { listPublicPosts } from '#app/blog/posts/post-listing.server.ts'
import { createPost, removePost, savePost } from '#app/blog/posts/post.server.ts'
import { findPublicPost, wasRemoved } from '#app/blog/posts/public-post.server.ts'

/** The model's state of one post, independent of the database. */
type Known = {
  id: string
  slug: string
  title: string
  published: boolean
  publishedAt: string | null
  wasPublic: boolean
  removed: boolean
  version: number
  /** The title of each version. */
  revisions: Map<number, string>
  draft: { version: number; base: number; title: string } | undefined
}

/** `known`: the posts by the model. `bytes`: the last content that readers got. */
type World = { random: () => number; known: Known[]; bytes: string; done: Record<string, number>; mistakes: string[] }

/** Whether readers may get different content from now on; undefined if the operation was impossible. */
type Effect = boolean | undefined

const HOUR_MS = 3_600_000
const slugs = ['prices', 'law', 'files', 'robots', 'feeds', 'proxies']
const writer = { id: newId(), role: 'staff' } as const

/**
 * Performs random operations on a few posts. After each, it compares the public content with a model, and byte by byte with the content before.
 * The content may only change when a visible or scheduled post is saved, when it is removed and when its time comes. In the end every saved
 * version must exist. The same seed repeats the same operations.
 */
export async function livePosts(
  seed: number,
  count: number,
): Promise<{ done: Record<string, number>; mistakes: string[]; revisions: number }> {
  const world: World = { random: randomOf(seed), known: [], bytes: '', done: {}, mistakes: [] }
  await comparePublic(world, 'nothing', true)
  for (let at = 0; at < count && world.mistakes.length < 5;) {
    const [name, act] = pick(world, Object.entries(acts))
    const effect = await act(world)
    if (effect === undefined) continue
    at += 1
    world.done[name] = (world.done[name] ?? 0) + 1
    await comparePublic(world, name, effect)
  }
  return { done: world.done, mistakes: world.mistakes, revisions: await compareRevisions(world) }
}

const acts: Record<string, (world: World) => Promise<Effect>> = {
  create: begin,
  save,
  'save what is typed': saveDraft,
  'save over another': saveStale,
  autosave,
  'autosave over another': autosaveStale,
  discard,
  restore,
  remove,
  'time comes': timeComes,
}

async function begin(world: World): Promise<Effect> {
  const body = randomBody(world)
  const before = Date.now()
  const taken = live(world).some(({ slug }) => slug === body.slug)
  const made = await attempt(world, taken ? 'slug_taken' : '', () => createPost(body, writer))
  if (!made) return false
  const known: Known = {
    id: made.id,
    slug: '',
    title: '',
    published: false,
    publishedAt: null,
    wasPublic: false,
    removed: false,
    version: 0,
    revisions: new Map(),
    draft: undefined,
  }
  world.known.push(known)
  return learn(world, known, body, made, before)
}

async function save(world: World): Promise<Effect> {
  const known = pickLive(world)
  return known && saveAs(world, known, { ...randomBody(world), ...(world.random() < 0.7 && { slug: known.slug }) })
}

/** Publishes a draft. */
async function saveDraft(world: World): Promise<Effect> {
  const known = pickLive(world, ({ draft }) => draft !== undefined)
  return known?.draft && saveAs(world, known, { ...randomBody(world), slug: known.slug, title: known.draft.title, published: true })
}

async function saveAs(world: World, known: Known, body: PostBody): Promise<Effect> {
  const before = Date.now()
  const wasVisible = isVisible(known)
  const taken = live(world).some((other) => other !== known && other.slug === body.slug)
  const saved = await attempt(world, taken ? 'slug_taken' : '', () => savePost(known.id, body, writer, known.version))
  if (!saved) return false
  if (known.draft?.base === known.version) known.draft = undefined
  const isNowVisible = learn(world, known, body, saved, before)
  return wasVisible || isNowVisible
}

async function saveStale(world: World): Promise<Effect> {
  const known = pickLive(world, ({ version }) => version > 1)
  if (!known) return undefined
  await attempt(world, 'edit_conflict', () => savePost(known.id, { ...randomBody(world), slug: known.slug }, writer, known.version - 1))
  return false
}

async function autosave(world: World): Promise<Effect> {
  const known = pickLive(world)
  if (!known) return undefined
  const title = randomTitle(world)
  const kept = await savePostDraft(known.id, { fields: { title }, baseVersion: known.version }, writer.id, known.draft?.version)
  if (!kept) return expectThat(world, false, 'A draft was not kept.')
  known.draft = { version: kept.version, base: known.version, title }
  return false
}

async function autosaveStale(world: World): Promise<Effect> {
  const known = pickLive(world)
  if (!known) return undefined
  const body = { fields: { title: 'Overwritten' }, baseVersion: known.version }
  await attempt(world, 'edit_conflict', () => savePostDraft(known.id, body, writer.id, (known.draft?.version ?? 0) + 7))
  const state = await findDraft(known.id)
  return expectThat(world, state?.draft?.fields.title === known.draft?.title, 'A draft is another than the last one kept.')
}

async function discard(world: World): Promise<Effect> {
  const known = pickLive(world, ({ draft }) => draft !== undefined)
  if (!known?.draft) return undefined
  await discardDraft(known.id, known.draft.version)
  known.draft = undefined
  return false
}

async function restore(world: World): Promise<Effect> {
  const known = pickLive(world)
  if (!known) return undefined
  const [version, title] = pick(world, [...known.revisions])
  const kept = await restoreRevision(known.id, version, writer.id, known.draft?.version)
  if (!kept) return expectThat(world, false, 'A version was not there to be restored.')
  known.draft = { version: kept.version, base: known.version, title }
  return expectThat(world, kept.fields.title === title, 'A version came back as another.')
}

async function remove(world: World): Promise<Effect> {
  const known = pickLive(world)
  if (!known) return undefined
  const wasVisible = isVisible(known)
  expectThat(world, await removePost(known.id, known.version), 'A post was not there to be removed.')
  Object.assign(known, { removed: true, wasPublic: known.wasPublic || wasVisible, draft: undefined })
  return wasVisible
}

/** Moves a scheduled post three days back, as if that time had passed. */
async function timeComes(world: World): Promise<Effect> {
  const known = pickLive(world, (post) => post.published && !isVisible(post))
  if (!known?.publishedAt) return undefined
  const publishedAt = new Date(Date.parse(known.publishedAt) - 72 * HOUR_MS)
  await db.updateTable('posts').set({ publishedAt }).where('id', '=', known.id).execute()
  known.publishedAt = publishedAt.toISOString()
  return true
}

/** Adopts the saved post into the model after a check by the rules. Returns whether readers see it. */
function learn(world: World, known: Known, body: PostBody, saved: Post, before: number): boolean {
  const wasShown = known.wasPublic || isVisible(known)
  const earlier = body.publishedAt === null && !wasShown ? null : known.publishedAt
  const expected = body.publishedAt ?? earlier
  const isNow = expected === null && body.published
  const isRight = isNow ? Math.abs(Date.parse(saved.publishedAt ?? '') - before) < 60_000 : saved.publishedAt === expected
  expectThat(world, isRight, `A post is public from ${saved.publishedAt}, not from ${isNow ? 'now' : expected}.`)
  expectThat(world, saved.version === known.version + 1 && saved.title === body.title, 'A post was saved as another.')
  const { slug, title, published, publishedAt, version } = saved
  Object.assign(known, { slug, title, published, publishedAt, version })
  known.wasPublic = wasShown || isVisible(known)
  known.revisions.set(version, title)
  return isVisible(known)
}

async function comparePublic(world: World, name: string, mayChange: boolean): Promise<void> {
  const [{ posts }, pages] = await Promise.all([listPublicPosts({}), Promise.all(slugs.map(findPublicPost))])
  const bytes = JSON.stringify([posts, pages])
  if (!mayChange) expectThat(world, bytes === world.bytes, `'${name}' changed what readers get.`)
  world.bytes = bytes
  const visible = live(world).filter(isVisible)
  const byTime = visible.toSorted((one, other) => order(other).localeCompare(order(one), 'en'))
  expectThat(world, titles(posts) === titles(byTime), `After '${name}' readers get the list ${titles(posts)}, not ${titles(byTime)}.`)
  for (const [at, slug] of slugs.entries()) {
    const expected = visible.find((known) => known.slug === slug)
    expectThat(world, pages[at]?.title === expected?.title, `After '${name}' readers get at ${slug} what is not there.`)
  }
  if (name === 'remove') await compareGone(world)
}

async function compareGone(world: World): Promise<void> {
  const gone = await Promise.all(slugs.map(wasRemoved))
  const removed = new Set(world.known.filter((known) => known.removed && known.wasPublic).map(({ slug }) => slug))
  expectThat(
    world,
    slugs.every((slug, at) => gone[at] === removed.has(slug)),
    'It is not told rightly which posts are gone.',
  )
}

/** Returns the number of versions. */
async function compareRevisions({ known, mistakes }: World): Promise<number> {
  const kept = await db
    .selectFrom('postRevisions')
    .select(['postId', 'version', sql<string>`fields->>'title'`.as('title')])
    .where('editorId', '=', writer.id)
    .execute()
  const found = new Map(kept.map(({ postId, version, title }) => [`${postId} ${version}`, title]))
  const expected = known.flatMap(({ id, revisions }) => [...revisions].map(([version, title]) => [`${id} ${version}`, title] as const))
  for (const [name, title] of expected) if (found.get(name) !== title) mistakes.push(`The version ${name} is lost.`)
  if (found.size !== expected.length) mistakes.push(`There are ${found.size} versions, not ${expected.length}.`)
  return found.size
}

/** Performs an operation that must succeed, or be refused with a code. */
async function attempt<T>(world: World, code: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await work()
    expectThat(world, code === '', `The operation succeeded instead of the refusal ${code}.`)
    return answer
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    expectThat(world, error.extra.code === code, `Refused as ${error.extra.code}, not as ${code || 'nothing'}.`)
    return undefined
  }
}

function expectThat({ mistakes }: World, isTrue: boolean, sentence: string): false {
  if (!isTrue) mistakes.push(sentence)
  return false
}

const live = ({ known }: World) => known.filter(({ removed }) => !removed)
const order = ({ publishedAt, id }: Known) => `${publishedAt} ${id}`
const titles = (posts: readonly { title: string }[]) => posts.map(({ title }) => title).join(', ')

function isVisible({ published, publishedAt, removed }: Known): boolean {
  return published && !removed && publishedAt !== null && Date.parse(publishedAt) <= Date.now()
}

function pickLive(world: World, isMeant: (known: Known) => boolean = () => true): Known | undefined {
  const meant = live(world).filter(isMeant)
  return meant.length > 0 ? pick(world, meant) : undefined
}

function randomBody(world: World): PostBody {
  const hours = 1 + Math.floor(world.random() * 48)
  const inTime = (sign: number) => new Date(Date.now() + sign * hours * HOUR_MS).toISOString()
  const publishedAt = pick(world, [undefined, undefined, null, inTime(1), inTime(-1)])
  const title = randomTitle(world)
  return { title, slug: pick(world, slugs), content: `About ${title}.`, tags: ['law'], published: world.random() < 0.6, publishedAt }
}

const randomTitle = ({ random }: World) => `Title ${Math.floor(random() * 1e9)}`

function pick<T>({ random }: World, from: readonly T[]): T {
  const at = Math.floor(random() * from.length)
  for (const chosen of from.slice(at, at + 1)) return chosen
  throw new Error('There is nothing to choose from.')
}

/** The same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
