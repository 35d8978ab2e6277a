import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync, Visitor } from 'vite'

export type Import = {
  /** As written. */
  specifier: string
  /** The project file that it resolves to, from the root of the project. */
  file: string | undefined
  /** Erased at run time. */
  typeOnly: boolean
}

export type Source = {
  /** From the root of the project, with slashes. */
  file: string
  text: string
  part: 'product' | 'test' | 'tool'
  imports: Import[]
  program: ReturnType<typeof parseSync>['program']
}

/** Every TypeScript file of the project, parsed. */
export function readSources(): Source[] {
  return globSync('{app,db,test,scripts,bench}/**/*.{ts,tsx}').toSorted().map(readSource)
}

function readSource(file: string): Source {
  const text = readFileSync(file, 'utf8')
  const { program, errors } = parseSync(file, text)
  if (errors[0]) throw new Error(`${file} cannot be parsed: ${errors[0].message}`)
  return { file, text, part: partOf(file), imports: importsOf(file, program), program }
}

function partOf(file: string): Source['part'] {
  if (/\.test\.tsx?$/.test(file) || file.startsWith('test/')) return 'test'
  return /^(app|db)\//.test(file) ? 'product' : 'tool'
}

function importsOf(file: string, program: Source['program']): Import[] {
  const imports: Import[] = []
  const add = (node: unknown, typeOnly: boolean) => {
    const specifier = literalOf(node)
    if (specifier !== undefined) imports.push({ specifier, file: resolve(specifier, file), typeOnly })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === 'type' || isOnlyTypes(node.specifiers)),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add(node.source, false),
    TSImportType: (node) => add(node.source, true),
  }).visit(program)
  return imports
}

function isOnlyTypes(specifiers: { type: string; importKind?: string }[]): boolean {
  return specifiers.length > 0 && specifiers.every(({ type, importKind }) => type === 'ImportSpecifier' && importKind === 'type')
}

function literalOf(node: unknown): string | undefined {
  return typeof node === 'object' && node && 'value' in node && typeof node.value === 'string' ? node.value : undefined
}

function resolve(specifier: string, from: string): string | undefined {
  const plain = specifier.replace(/\?.*$/, '')
  if (plain.startsWith('#')) return plain.slice(1)
  return plain.startsWith('.') ? path.posix.join(path.posix.dirname(from), plain) : undefined
}
