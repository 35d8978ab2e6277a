import type rehypeSlug from 'rehype-slug'

/** An HTML tree, typed as the packages that build and read it do. */
export type Root = Parameters<ReturnType<typeof rehypeSlug>>[0]
export type MarkdownNode = Root['children'][number]
export type Element = Extract<MarkdownNode, { type: 'element' }>

type Properties = Element['properties']

export function element(tagName: string, properties: Properties, children: MarkdownNode[]): Element {
  return { type: 'element', tagName, properties, children: children.filter((child) => child.type !== 'doctype') }
}

export function nodeText(value: string): MarkdownNode {
  return { type: 'text', value }
}

/** All elements with their depth, outermost first. */
export function* elementsIn(node: Root | Element, depth = 0): Generator<{ element: Element; depth: number }> {
  for (const child of node.children) {
    if (child.type !== 'element') continue
    yield { element: child, depth }
    yield* elementsIn(child, depth + 1)
  }
}

/** The text of an element, without elements that `skip` matches. */
export function textIn(node: Root | MarkdownNode, skip: (element: Element) => boolean = () => false): string {
  if (node.type === 'text') return node.value
  if (!('children' in node) || (node.type === 'element' && skip(node))) return ''
  return node.children.map((child) => textIn(child, skip)).join('')
}

/** Replaces elements, innermost first. */
export function replaceElements(node: Root | Element, by: (element: Element) => Element): void {
  node.children.forEach((child, index) => {
    if (child.type !== 'element') return
    replaceElements(child, by)
    node.children[index] = by(child)
  })
}
