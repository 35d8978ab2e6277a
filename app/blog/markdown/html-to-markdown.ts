import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { element, type Element, type Root, nodeText } from './tree.ts'

const DEEPEST = 100

/** Maps an old URL to a new one; empty if it may not stay. `isPicture` marks URLs that browsers load automatically. */
export type Relink = (address: string, isPicture: boolean) => string

const turning = unified().use(rehypeRemark)
const writing = unified().use(remarkGfm).use(remarkStringify, { bullet: '-', rule: '-' })

/** The Markdown of a tree without scripts, styles and comments. Throws a `RangeError` for one that is nested too deeply. */
export function treeToMarkdown(tree: Root, relink: Relink): string {
  const clean: Root = { type: 'root', children: cleaned(tree.children, relink, 0) }
  return writing.stringify(turning.runSync(clean)).trim()
}

const DROPPED = new Set(['script', 'style', 'noscript', 'template', 'svg', 'form', 'object', 'canvas'])
/** Embedded players become links. */
const FRAMES = new Set(['iframe', 'embed', 'video', 'audio'])

function cleaned(nodes: Root['children'], relink: Relink, depth: number): Element['children'] {
  if (depth > DEEPEST) throw new RangeError('too deep')
  return nodes.flatMap((node): Element['children'] => {
    if (node.type === 'text') return [node]
    if (node.type !== 'element' || DROPPED.has(node.tagName)) return []
    if (FRAMES.has(node.tagName)) return frameLink(node, relink)
    const { href } = node.properties
    if (node.tagName === 'a' && typeof href === 'string' && relink(href, false) === '') return cleaned(node.children, relink, depth + 1)
    return [element(node.tagName, relinked(node, relink), cleaned(node.children, relink, depth + 1))]
  })
}

function relinked({ tagName, properties }: Element, relink: Relink): Element['properties'] {
  if (tagName === 'img') {
    const { src, dataSrc, alt, title } = properties
    const given = String(dataSrc ?? src ?? '')
    return { alt, title, src: given && relink(given, true) }
  }
  const { href } = properties
  return tagName === 'a' && typeof href === 'string' ? { ...properties, href: relink(href, false) } : properties
}

function frameLink({ properties, children }: Element, relink: Relink): Element['children'] {
  const inner = children.find((child) => child.type === 'element' && child.tagName === 'source')
  const address = properties['src'] ?? (inner?.type === 'element' ? inner.properties['src'] : undefined)
  if (typeof address !== 'string' || address === '') return []
  const href = relink(address, false)
  if (href === '') return []
  return [element('p', {}, [element('a', { href }, [nodeText(properties['title'] ?? href)])])]
}
