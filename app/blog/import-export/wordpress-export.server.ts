import { SaxesParser } from 'saxes'
import { setImmediate as breathe } from 'node:timers/promises'
import { printable } from '#app/platform/text/xml.ts'
import { slugOf } from '#app/blog/posts/post.ts'
import { countRefused, type ExportedPost, MOST_EXPORTED, type PostExport } from './exported-post.ts'

/** In characters; other requests run between two chunks. */
const PIECE = 256 * 1024
const DEEPEST = 40
/** Internal post types of WordPress, which readers never see. */
const INTERNAL = new Set([
  'attachment',
  'nav_menu_item',
  'revision',
  'custom_css',
  'customize_changeset',
  'wp_global_styles',
  'wp_navigation',
])
const FORGOTTEN = new Set(['trash', 'auto-draft', 'inherit'])

type Item = { fields: Map<string, string>; categories: { domain: string; name: string }[]; meta: Map<string, string> }
type Author = { name: string; email: string }
type File = { isWxr: boolean; items: Item[]; authors: Map<string, Author> }

/** Reads a WordPress export (WXR), or returns the reason why it cannot. A document type is refused, so no entity is ever expanded. */
export async function readWordPress(text: string): Promise<PostExport | { reason: string }> {
  const file: File = { isWxr: false, items: [], authors: new Map() }
  try {
    const parser = parserInto(file)
    const whole = printable(text.replace(/^\uFEFF/, ''))
    for (let at = 0; at < whole.length; at += PIECE) {
      parser.write(whole.slice(at, at + PIECE))
      await breathe()
    }
    parser.close()
  } catch (error) {
    if (error instanceof Unreadable) return { reason: error.message }
    return { reason: `This XML is damaged: ${error instanceof Error ? error.message.slice(0, 120) : 'it cannot be read'}.` }
  }
  return file.isWxr ? postsOf(file) : { reason: 'This XML is not a WordPress export.' }
}

class Unreadable extends Error {}

function parserInto(file: File): SaxesParser {
  const parser = new SaxesParser()
  const open: { name: string; text: string; attributes: Record<string, string> }[] = []
  let item: Item | undefined
  let author: Map<string, string> | undefined
  const nested = { key: '', value: '' }
  const ends: Record<string, () => void> = {
    item: () => (item = undefined),
    'wp:author': () => {
      const login = author?.get('wp:author_login')
      if (login)
        file.authors.set(login, { name: author?.get('wp:author_display_name') || login, email: author?.get('wp:author_email') ?? '' })
      author = undefined
    },
    'wp:postmeta': () => {
      item?.meta.set(nested.key, nested.value)
    },
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => {
    throw new Unreadable('This XML has a document type declaration, which is not allowed.')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= DEEPEST) throw new Unreadable('This XML is nested too deeply.')
    open.push({ name, text: '', attributes: { ...attributes } })
    if (name === 'rss' && 'xmlns:wp' in attributes) file.isWxr = true
    if (name === 'wp:author' && !item) author = new Map()
    if (name !== 'item') return
    if (file.items.length >= 4 * MOST_EXPORTED) throw new Unreadable('This export is too large. Please export it in parts.')
    item = { fields: new Map(), categories: [], meta: new Map() }
    file.items.push(item)
  })
  const collect = (text: string) => {
    const last = open.at(-1)
    if (last && (item || author)) last.text += text
  }
  parser.on('text', collect)
  parser.on('cdata', collect)
  parser.on('closetag', ({ name }) => {
    const { text = '', attributes = {} } = open.pop() ?? {}
    const parent = open.at(-1)?.name
    if (author && parent === 'wp:author') author.set(name, text)
    if (parent === 'wp:postmeta' && name === 'wp:meta_key') nested.key = text
    if (parent === 'wp:postmeta' && name === 'wp:meta_value') nested.value = text
    if (item && parent === 'item' && name === 'category') item.categories.push({ domain: attributes['domain'] ?? '', name: text })
    else if (item && parent === 'item') item.fields.set(name, text)
    ends[name]?.()
  })
  return parser
}

function postsOf({ items, authors }: File): PostExport | { reason: string } {
  const addresses = new Map(items.map(({ fields }) => [fields.get('wp:post_id') ?? '', fields.get('wp:attachment_url') ?? '']))
  const posts: ExportedPost[] = []
  const refused: string[] = []
  for (const item of items) {
    const kind = item.fields.get('wp:post_type') ?? ''
    const status = item.fields.get('wp:status') ?? ''
    if (INTERNAL.has(kind) || FORGOTTEN.has(status)) continue
    if (kind === 'post') posts.push(postOf(item, { addresses, authors }))
    else refused.push(kind)
  }
  if (posts.length > MOST_EXPORTED) return { reason: `This export has more than ${MOST_EXPORTED} posts. Please export it in parts.` }
  return { program: 'WordPress', posts, refused: countRefused(refused) }
}

function postOf({ fields, categories, meta }: Item, known: { addresses: Map<string, string>; authors: Map<string, Author> }): ExportedPost {
  const given = (name: string) => fields.get(name)?.trim() ?? ''
  const status = given('wp:status')
  const isLocked = given('wp:post_password') !== ''
  const title = given('title') || 'Untitled'
  const { html, notes } = htmlOf(given('content:encoded'))
  if (isLocked) notes.push('It had a password, so it becomes a draft.')
  if (status === 'private') notes.push('It was private, so it becomes a draft.')
  const names = categories.filter(({ domain, name }) => domain === 'post_tag' || (domain === 'category' && name !== 'Uncategorized'))
  return {
    title,
    slug: slugOf(decoded(given('wp:post_name'))) || slugOf(title) || `post-${given('wp:post_id')}`,
    html,
    published: (status === 'publish' || status === 'future') && !isLocked,
    date: dateOf(given('wp:post_date_gmt')),
    excerpt: given('excerpt:encoded') || undefined,
    tags: names.map(({ name }) => name.trim()),
    image: known.addresses.get(meta.get('_thumbnail_id') ?? 'none') || undefined,
    metaTitle: plainMeta(meta.get('_yoast_wpseo_title') ?? meta.get('rank_math_title')),
    metaDescription: plainMeta(meta.get('_yoast_wpseo_metadesc') ?? meta.get('rank_math_description')),
    author: known.authors.get(given('dc:creator')) ?? (given('dc:creator') ? { name: given('dc:creator'), email: '' } : undefined),
    oldPath: pathOf(given('link')),
    link: given('link') || undefined,
    notes,
  }
}

const BLOCK = /^\s*<(?:p|div|h[1-6]|ul|ol|table|blockquote|pre|figure|hr|section|!--)\b/i

/** The classic editor separates paragraphs by blank lines, and writes captions as shortcodes. */
function htmlOf(content: string): { html: string; notes: string[] } {
  const captioned = content.replaceAll(
    /\[caption[^\]]*\](.*?)(<\/a>|\/>|<img[^>]*>)([^[<]*)\[\/caption\]/gs,
    (_whole, before: string, end: string, words: string) => `<figure>${before}${end}<figcaption>${words}</figcaption></figure>`,
  )
  const shortcodes = [...new Set(Array.from(captioned.matchAll(/\[\/?([a-z][\w-]{1,40})(?:\s[^\]\n]*)?\]/g), ([, name = '']) => name))]
  const notes = shortcodes.length > 0 ? [`Shortcodes stay as they are: ${shortcodes.slice(0, 5).join(', ')}.`] : []
  if (/<p[\s>]|<!-- wp:/i.test(captioned)) return { html: captioned, notes }
  const paragraphs = captioned.split(/\n\s*\n/).map((part) => (BLOCK.test(part) ? part : `<p>${part.trim().replaceAll('\n', '<br>')}</p>`))
  return { html: paragraphs.join('\n'), notes }
}

function dateOf(given: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/.exec(given) ?? []
  return day === undefined || day.startsWith('0000') ? undefined : `${day}T${time}Z`
}

/** Values with template variables of a plug-in are no plain text. */
function plainMeta(given: string | undefined): string | undefined {
  return given && !given.includes('%') ? given : undefined
}

function pathOf(link: string): string | undefined {
  const url = URL.parse(link)
  return url ? url.pathname + url.search : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
