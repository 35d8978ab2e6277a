import { Visitor } from 'vite'
import type { Source } from './source.ts'

type Place = { start: number; end: number }
type Visit = (node: Place & Record<string, unknown>) => void

/** Calls back for each node of the named types. */
function each(source: Source, types: string[], requestContext: Visit) {
  new Visitor(Object.fromEntries(types.map((type) => [type, requestContext]))).visit(source.program)
}

export function countNodes(source: Source, ...types: string[]): number {
  let count = 0
  each(source, types, () => (count += 1))
  return count
}

/** Named functions (declarations, variables and methods), with their number of lines. */
export function functionsOf(source: Source): { file: string; name: string; lines: number }[] {
  const found: { file: string; name: string; lines: number }[] = []
  const add = (name: unknown, { start, end }: Place) => {
    found.push({ file: source.file, name: textOf(source, name), lines: source.text.slice(start, end).split('\n').length })
  }
  each(source, ['FunctionDeclaration'], (node) => add(node['id'], node))
  each(source, ['VariableDeclarator'], (node) => isFunction(node['init']) && add(node['id'], node['init']))
  each(source, ['MethodDefinition', 'Property', 'PropertyDefinition'], (node) => {
    if (isFunction(node['value'])) add(node['key'], node['value'])
  })
  return found
}

function isFunction(node: unknown): node is Place {
  return isNode(node) && /^(Arrow)?Function(Expression)?$|^ArrowFunctionExpression$/.test(node.type)
}

function isNode(node: unknown): node is Place & { type: string } {
  return typeof node === 'object' && node !== null && 'type' in node
}

function textOf(source: Source, node: unknown): string {
  return isNode(node) ? source.text.slice(node.start, node.end) : 'default'
}

const flow = [
  'IfStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
  'SwitchStatement',
  'TryStatement',
]
const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']

/** The nesting depth of control flow within one function; `else if` does not add a level. */
export function deepest(source: Source): number {
  let deepestYet = 0
  const levels = [0]
  const elseIfs = new Set<unknown>()
  const step = (by: number) => levels.push((levels.pop() ?? 0) + by)
  const enter: Visit = (node) => {
    if (isNode(node['alternate']) && node['alternate'].type === 'IfStatement') elseIfs.add(node['alternate'].start)
    if (!elseIfs.has(node.start)) step(1)
    deepestYet = Math.max(deepestYet, levels.at(-1) ?? 0)
  }
  const leave: Visit = (node) => {
    if (!elseIfs.has(node.start)) step(-1)
  }
  new Visitor({
    ...Object.fromEntries(
      flow.flatMap((type) => [
        [type, enter],
        [`${type}:exit`, leave],
      ]),
    ),
    ...Object.fromEntries(
      functions.flatMap((type) => [
        [type, () => levels.push(0)],
        [`${type}:exit`, () => levels.pop()],
      ]),
    ),
  }).visit(source.program)
  return deepestYet
}
