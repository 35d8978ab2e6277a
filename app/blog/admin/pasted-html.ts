import rehypeParse from 'rehype-parse'
import { unified } from 'unified'
import { treeToMarkdown } from '#app/blog/markdown/html-to-markdown.ts'
import { element, type Element, elementsIn, type MarkdownNode, type Root, textIn } from '#app/blog/markdown/tree.ts'

/** A longer paste would hold up the page, so it stays plain. */
const MOST_HTML = 2 * 1024 * 1024

export type PastedText = { markdown: string; /** The number of pictures left out. */ pictures: number }

const reading = unified().use(rehypeParse, { fragment: true })

/**
 * Converts a paste from a document or a web page to Markdown. Undefined for text without any form, which is better pasted as it is: it may be
 * Markdown already. Pictures are left out, because they would be loaded from another site.
 */
export function readPastedHtml(html: string): PastedText | undefined {
  if (html.length > MOST_HTML) return undefined
  try {
    const tree = reading.parse(html)
    const children = belowTitle(blocksOf(tree.children))
    const read: Root = { type: 'root', children }
    if (!hasForm(read)) return undefined
    const markdown = treeToMarkdown(read, (address) => address)
    const pictures = [...elementsIn(tree)].filter((found) => found.element.tagName === 'img').length
    return markdown ? { markdown, pictures } : undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const FORM = new Set('h1 h2 h3 h4 h5 h6 ul ol table pre code blockquote a strong em del hr'.split(' '))

/** Several paragraphs count: as plain text, they would be lines of one. */
function hasForm(tree: Root): boolean {
  const all = [...elementsIn(tree)].map((found) => found.element)
  return all.some(({ tagName }) => FORM.has(tagName)) || all.filter(({ tagName }) => tagName === 'p').length > 1
}

/** Without a page, its styles and its pictures. */
const LEFT_OUT = new Set('head title meta link style script img picture svg button input select textarea'.split(' '))

type Around = { isHeading?: boolean; isCode?: boolean }

function blocksOf(nodes: readonly MarkdownNode[], around: Around = {}): Element['children'] {
  const read = withWordLists(nodes).flatMap((node): Element['children'] => {
    if (node.type === 'text') return [around.isCode ? node : { ...node, value: node.value.replaceAll('\u00A0', ' ') }]
    return node.type === 'element' && !LEFT_OUT.has(node.tagName) ? elementOf(node, around) : []
  })
  return joined(read)
}

/** Documents split a bold sentence into pieces, which Markdown would not read as one. */
function joined(nodes: Element['children']): Element['children'] {
  const out: Element['children'] = []
  for (const node of nodes) {
    const last = out.at(-1)
    if (node.type === 'element' && last?.type === 'element' && EMPHASIS.has(node.tagName) && node.tagName === last.tagName) {
      out[out.length - 1] = element(last.tagName, {}, joined([...last.children, ...node.children]))
    } else out.push(node)
  }
  return out
}

const EMPHASIS = new Set(['strong', 'em', 'del'])

function elementOf(given: Element, around: Around): Element['children'] {
  const tagName = nameOf(given)
  const isHeading = around.isHeading || /^h[1-6]$/.test(tagName)
  const isCode = around.isCode || tagName === 'pre'
  const children = blocksOf(given.children, { isHeading, isCode })
  switch (tagName) {
    case 'span':
      return isCode ? children : marked(children, styleOf(given), isHeading)
    case 'strong':
    case 'b':
      // Google Docs wraps the whole text in one that is not bold.
      return gives(styleOf(given), 'font-weight', 'normal|400') ? children : marked(children, 'font-weight:bold', isHeading)
    case 'i':
    case 'em':
      return gives(styleOf(given), 'font-style', 'normal') ? children : marked(children, 'font-style:italic')
    case 's':
    case 'strike':
      return [element('del', {}, children)]
    case 'u':
    case 'font':
    case 'o:p':
      return children
    case 'a':
      return linkOf(given, children)
    case 'ul':
    case 'ol':
      return [element(tagName, startOf(given), nested(children))]
    case 'li':
    case 'td':
    case 'th':
      return [element(tagName, alignOf(given), inline(given, children))]
    case 'table':
      return [withHead(element('table', {}, children))]
    case 'p':
      return textOf(children).trim() === '' ? [] : [element('p', {}, children)]
    default:
      return [element(tagName, given.properties, children)]
  }
}

/** Word writes the title of a document as a paragraph. */
function nameOf({ tagName, properties }: Element): string {
  return tagName === 'p' && classesOf(properties).includes('MsoTitle') ? 'h1' : tagName
}

const classesOf = ({ className }: Element['properties']) => (Array.isArray(className) ? className : [])
const styleOf = ({ properties }: Element) => (properties['style'] ?? '').toLowerCase()

/** Whether a style gives a property one of these values. Word writes others that end in the same name, such as `mso-bidi-font-weight`. */
const gives = (style: string, property: string, values: string) => new RegExp(`(?<![\\w-])${property}:\\s*(${values})`).test(style)

/** The emphasis that a style gives. The spaces at its ends stay outside: inside, it would be none in Markdown. */
function marked(children: Element['children'], style: string, isHeading = false): Element['children'] {
  const tags = [
    ...(!isHeading && gives(style, 'font-weight', 'bold|[6-9]00') ? ['strong'] : []),
    ...(gives(style, 'font-style', 'italic') ? ['em'] : []),
    ...(/text-decoration[\w-]*:[^;]*line-through/.test(style) ? ['del'] : []),
  ]
  const [only, ...others] = children
  if (tags.length === 0 || textOf(children).trim() === '') return children
  const wrap = (inner: Element['children']) => tags.reduceRight((made, tag) => [element(tag, {}, made)], inner)
  if (only?.type !== 'text' || others.length > 0) return wrap(children)
  const words = only.value.trim()
  const [before = '', after = ''] = only.value.split(words)
  return [text(before), ...wrap([text(words)]), text(after)]
}

const text = (value: string) => ({ type: 'text' as const, value })
const textOf = (nodes: readonly MarkdownNode[]): string => nodes.map((node) => textIn(node)).join('')

/** Of the addresses that readers can follow; Google's own detour is removed. */
function linkOf({ properties }: Element, children: Element['children']): Element['children'] {
  const url = URL.parse(properties['href'] ?? '')
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return children
  const target = /^www\.google\.[a-z.]+$/.test(url.hostname) && url.pathname === '/url' ? url.searchParams.get('q') : null
  const href = target && /^https?:/.test(target) ? target : url.href
  return textOf(children).trim() === '' ? children : [element('a', { href }, children)]
}

const startOf = ({ properties: { start } }: Element): Element['properties'] => (start === undefined ? {} : { start })

function alignOf({ tagName, properties }: Element): Element['properties'] {
  if (tagName === 'li') return {}
  const { align, colSpan, rowSpan } = properties
  return { align, colSpan, rowSpan }
}

/** Google Docs puts a list into a list, beside the item that it belongs to. */
function nested(children: Element['children']): Element['children'] {
  const items: Element['children'] = []
  for (const child of children) {
    const last = items.findLast((item) => item.type === 'element')
    const isInner = child.type === 'element' && (child.tagName === 'ul' || child.tagName === 'ol')
    if (isInner && last?.type === 'element' && last.tagName === 'li') last.children.push(child)
    else items.push(child)
  }
  return items
}

/** The only paragraph of an item is its text, and so are all those of a cell. */
function inline({ tagName }: Element, children: Element['children']): Element['children'] {
  const isParagraph = (child: MarkdownNode) => child.type === 'element' && child.tagName === 'p'
  const most = tagName === 'li' ? 1 : Infinity
  if (children.filter(isParagraph).length > most) return children
  return children.flatMap((child, at) => {
    if (child.type !== 'element' || child.tagName !== 'p') return [child]
    return children.slice(0, at).some(isParagraph) ? [element('br', {}, []), ...child.children] : child.children
  })
}

/** Documents mark no heads, and a Markdown table has one: it is the first row. */
function withHead(table: Element): Element {
  const all = [...elementsIn(table)].map((found) => found.element)
  if (all.some(({ tagName }) => tagName === 'th')) return table
  const first = all.find(({ tagName }) => tagName === 'tr')
  for (const cell of first?.children ?? []) if (cell.type === 'element' && cell.tagName === 'td') cell.tagName = 'th'
  return table
}

/** The title of the post is the only heading of the first level, so every pasted one goes down by one. */
function belowTitle(children: Element['children']): Element['children'] {
  const headings = [...elementsIn({ type: 'root', children })]
    .map((found) => found.element)
    .filter(({ tagName }) => /^h[1-6]$/.test(tagName))
  if (headings.some(({ tagName }) => tagName === 'h1')) {
    for (const heading of headings) heading.tagName = `h${Math.min(6, Number(heading.tagName[1]) + 1)}`
  }
  return children
}

type WordItem = { level: number; isOrdered: boolean; children: Element['children'] }

/** Word writes the items of a list as paragraphs, each with its level. */
function withWordLists(nodes: readonly MarkdownNode[]): MarkdownNode[] {
  const out: MarkdownNode[] = []
  let items: WordItem[] = []
  const end = () => {
    if (items.length > 0) out.push(listOf(items))
    items = []
  }
  for (const node of nodes) {
    const item = wordItem(node)
    const [first] = items
    if (item && first && item.level <= first.level && item.isOrdered !== first.isOrdered) end()
    if (item) items.push(item)
    else if (items.length === 0 || textIn(node).trim() !== '') {
      end()
      out.push(node)
    }
  }
  end()
  return out
}

function wordItem(node: MarkdownNode): WordItem | undefined {
  if (node.type !== 'element' || node.tagName !== 'p') return undefined
  const level = /mso-list:\s*l\d+ level(\d+)/.exec(styleOf(node))?.[1]
  if (!level) return undefined
  const sign = [...elementsIn(node)].find((found) => isWordSign(found.element))
  return { level: Number(level), isOrdered: /\w[.)]/.test(sign ? textIn(sign.element) : ''), children: withoutSign(node.children) }
}

const isWordSign = (node: MarkdownNode) => node.type === 'element' && /mso-list:\s*ignore/.test(styleOf(node))

function withoutSign(nodes: Element['children']): Element['children'] {
  return nodes
    .filter((node) => !isWordSign(node))
    .map((node) => (node.type === 'element' ? { ...node, children: withoutSign(node.children) } : node))
}

/** Deeper items belong to the one before them. */
function listOf(items: readonly WordItem[]): Element {
  const level = Math.min(...items.map((item) => item.level))
  const list = element(items[0]?.isOrdered ? 'ol' : 'ul', {}, [])
  for (const [at, item] of items.entries()) {
    if (item.level > level && at > 0) continue
    const after = items.slice(at + 1)
    const next = after.findIndex((other) => other.level <= level)
    const inner = next < 0 ? after : after.slice(0, next)
    list.children.push(element('li', {}, [...item.children, ...(inner.length > 0 ? [listOf(inner)] : [])]))
  }
  return list
}
