import rehypeParse from 'rehype-parse'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import { unified } from 'unified'
import { manyLines } from '#app/platform/text/clean-text.ts'
import { foreignLink } from '#app/platform/text/foreign-link.ts'

/** `hasRemoteContent` is true if pictures were left out, which the reader can ask for. */
type CleanHtml = { html: string | null; text: string; hasRemoteContent: boolean }

/** No real email nests this deep; parsers and browsers have limits as well. */
const DEEPEST = 200
/** Characters. Longer HTML is shown as text. */
const LONGEST = 1_000_000

const tagNames =
  'a b blockquote br caption center code col colgroup dd del details div dl dt em figcaption figure font hr i img ins kbd li ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul'.split(
    ' ',
  )
const align: [string, ...string[]] = ['align', 'left', 'right', 'center']

const parser = unified().use(rehypeParse, { fragment: true })
const cleaner = unified()
  .use(rehypeSanitize, {
    strip: [
      'script',
      'style',
      'title',
      'template',
      'noscript',
      'noembed',
      'noframes',
      'textarea',
      'select',
      'object',
      'iframe',
      'svg',
      'math',
    ],
    clobber: [],
    allowComments: false,
    allowDoctypes: false,
    tagNames,
    ancestors: Object.fromEntries(
      ['caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'].map((name) => [name, ['table']]),
    ),
    protocols: { href: ['http', 'https', 'mailto', 'tel'] },
    required: { a: { rel: 'noopener noreferrer nofollow', target: '_blank' } },
    attributes: {
      a: ['href', ['rel', 'noopener noreferrer nofollow'], ['target', '_blank']],
      img: ['dataInline', 'alt', 'width', 'height', 'dataRemoteSrc'],
      td: ['colSpan', 'rowSpan', align],
      th: ['colSpan', 'rowSpan', align],
      ol: ['start'],
      details: ['dataQuoted', 'open'],
    },
  })
  .use(rehypeStringify)

type Root = ReturnType<typeof parser.parse>
type Parent = Root | Element
type Node = Root['children'][number]
type Element = Extract<Node, { type: 'element' }>

/**
 * HTML of an email that is safe to show: no scripts, no styles, no forms, and nothing that is loaded. Pictures of other servers have their
 * address in `data-remote-src`, and attached ones their place in `contentIds` in `data-inline`. Quotes of earlier emails are folded in
 * `<details data-quoted>`.
 */
export async function cleanEmailHtml(source: string, contentIds: readonly string[] = []): Promise<CleanHtml> {
  const plain = () => ({ html: null, text: withoutTags(source), hasRemoteContent: false })
  if (source.length > LONGEST) return plain()
  try {
    const tree = parser.parse(source.toWellFormed().replaceAll('\0', ''))
    if (isTooDeep(tree)) return plain()
    const hasRemoteContent = makeOurs(tree, contentIds)
    foldQuotes(tree)
    const html = cleaner.stringify(await cleaner.run(tree))
    // Each character can become an entity of several.
    return html.length > LONGEST ? plain() : { html, text: manyLines(textOf(tree)), hasRemoteContent }
  } catch (error) {
    // The parser's own depth is limited by the stack.
    if (error instanceof RangeError) return plain()
    throw error
  }
}

/** For HTML that is too large or too deep to be shown. */
function withoutTags(source: string): string {
  return manyLines(source.replaceAll(/<(?:br|\/p|\/div|\/tr)\b[^<>]*>/gi, '\n').replaceAll(/<[^<>]*>/g, ' '))
}

function isTooDeep(root: Root): boolean {
  let level: Node[] = root.children
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST) return true
    level = level.flatMap((node) => (node.type === 'element' ? node.children : []))
  }
  return false
}

/** Removes attributes that the sender could fake, and takes the addresses of pictures away. Returns whether there were any. */
function makeOurs(parent: Parent, contentIds: readonly string[]): boolean {
  let hasRemoteContent = false
  parent.children = parent.children.filter((child) => child.type !== 'element' || !isTrackingPixel(child))
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    delete child.properties['dataQuoted']
    delete child.properties['dataRemoteSrc']
    delete child.properties['dataInline']
    if (child.tagName === 'details') child.properties = { open: true }
    if (child.tagName === 'a') child.properties = { href: foreignLink(child.properties['href']) }
    if (child.tagName === 'img') hasRemoteContent = withholdPicture(child, contentIds) || hasRemoteContent
    if (/^h[1-6]$/.test(child.tagName)) asParagraph(child)
    hasRemoteContent = makeOurs(child, contentIds) || hasRemoteContent
  }
  return hasRemoteContent
}

/** A picture that nobody sees tells its server that the email is read, and nothing else. */
function isTrackingPixel({ tagName, properties }: Element): boolean {
  const isTiny = (size: unknown) => /^\s*[0-2](px)?\s*$/.test(typeof size === 'string' || typeof size === 'number' ? String(size) : '')
  return tagName === 'img' && (isTiny(properties['width']) || isTiny(properties['height']))
}

function withholdPicture(image: Element, contentIds: readonly string[]): boolean {
  const { src, alt, width, height } = image.properties
  const url = URL.parse((src ?? '').trim())
  const isRemote = url?.protocol === 'https:' && url.href.length <= 2_000
  const inline = url?.protocol === 'cid:' ? contentIds.indexOf(decoded(url.pathname)) : -1
  // Its place is first, where the receiver of the email looks for it.
  image.properties = {
    ...(inline >= 0 && { dataInline: String(inline) }),
    alt: alt ?? '',
    width,
    height,
    ...(isRemote && { dataRemoteSrc: url.href }),
  }
  return isRemote
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Headings of an email would mix with those of the page. */
function asParagraph(heading: Element): void {
  const strong: Element = { type: 'element', tagName: 'strong', properties: {}, children: heading.children }
  Object.assign(heading, { tagName: 'p', properties: {}, children: [strong] })
}

/** Folds quotes. An email that is nothing but a quote stays open. */
function foldQuotes(root: Root): void {
  const folded: Element[] = []
  fold(root, folded)
  const own = textOf(root, (element) => folded.includes(element)).trim()
  if (own === '') for (const each of folded) each.properties['open'] = true
}

function fold(parent: Parent, folded: Element[]): void {
  for (let at = 0; at < parent.children.length; at += 1) {
    const child = parent.children[at]
    if (child?.type !== 'element') continue
    const kind = quoteKindOf(child)
    if (!kind) {
      fold(child, folded)
      continue
    }
    const quoted = parent.children.splice(at, kind === 'rest' ? parent.children.length : 1)
    const details = quoteOf(quoted)
    parent.children.splice(at, 0, details)
    folded.push(details)
  }
}

function quoteOf(quoted: Node[]): Element {
  const word: Element = { type: 'element', tagName: 'summary', properties: {}, children: [{ type: 'text', value: 'Quoted text' }] }
  const children = quoted.flatMap((node) => (node.type === 'doctype' ? [] : [node]))
  return { type: 'element', tagName: 'details', properties: { dataQuoted: '' }, children: [word, ...children] }
}

/** `rest`: everything from here on is an earlier email. `self`: this element is. */
function quoteKindOf({ tagName, properties }: Element): 'rest' | 'self' | undefined {
  const id = properties['id'] ?? ''
  const style = properties['style'] ?? ''
  const classes = [properties['className']].flat().map(String)
  if (/^(x_)*(divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|ms-outlook-mobile-reference-message)$/i.test(id))
    return 'rest'
  if (tagName === 'div' && /border-top:\s?solid #(E1E1E1|B5C4DF)/i.test(style)) return 'rest'
  if (classes.some((name) => /^(x_)*(gmail_quote(_container)?|yahoo_quoted|protonmail_quote|moz-cite-prefix)$/.test(name))) return 'self'
  return tagName === 'blockquote' && /^cite$/i.test(properties['type'] ?? '') ? 'self' : undefined
}

const BLOCKS =
  /^(address|article|blockquote|br|center|dd|details|div|dl|dt|figure|footer|header|hr|li|ol|p|pre|section|summary|table|tr|ul)$/
const UNSEEN = /^(script|style|title|template|noscript|noembed|noframes|textarea|select|object|iframe|svg|math|head)$/

function textOf(node: Parent | Node, skip: (element: Element) => boolean = () => false): string {
  if (node.type === 'text') return node.value.replaceAll(/[ \t\r\n]+/g, ' ')
  if (!('children' in node) || (node.type === 'element' && (UNSEEN.test(node.tagName) || skip(node)))) return ''
  const inside = node.children.map((child) => textOf(child, skip)).join('')
  if (node.type !== 'element') return inside
  if (node.tagName === 'summary') return ''
  if (node.tagName === 'blockquote') return `\n${inside.trim().replaceAll(/^/gm, '> ')}\n`
  return BLOCKS.test(node.tagName) ? `\n${inside}\n` : /^t[dh]$/.test(node.tagName) ? `${inside} ` : inside
}
