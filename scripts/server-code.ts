import { createRequire } from 'node:module'
import { parseAst, type Plugin } from 'vite'
import { z } from 'zod'

const HTTP = '\0node:http'
const NOT_ASCII = /[^\0-\x7F]/

/** Makes the code of the server quick to load and small in memory. Names and lines stay as they are, so errors stay readable. */
export function serverCode(): Plugin {
  return {
    name: 'winnow:server-code',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    config: () => ({
      environments: { ssr: { build: { rolldownOptions: { output: { comments: { legal: true, annotation: false, jsdoc: false } } } } } },
    }),
    resolveId: {
      filter: { id: /^(node:)?http$/ },
      handler: (_source, _importer, { kind }) => (kind === 'import-statement' ? HTTP : undefined),
    },
    load: { filter: { id: /^\0node:http$/ }, handler: httpWithoutClient },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = inAscii(file.code)
      },
    },
  }
}

/** An `import` of Node's own module reads all of its exports, and some of them load a client for HTTP, WebSocket and more. */
function httpWithoutClient(): string {
  const http: object = createRequire(import.meta.url)('node:http')
  const plain = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, property]) => ('value' in property ? name : []))
  return `const http = process.getBuiltinModule('node:http')\nexport default http\nexport const { ${plain.join(', ')} } = http`
}

/** The engine stores a file in one byte a character, if they are all ASCII, and else in two. */
export function inAscii(code: string): string {
  if (!NOT_ASCII.test(code) || hasRawText(parseAst(code))) return code
  // A backslash before a character that needs none would escape the backslash of its replacement.
  return code.replaceAll(
    /(\\*)([^\0-\x7F])/g,
    (_, slashes: string, unit: string) =>
      `${slashes.length % 2 === 1 ? slashes.slice(1) : slashes}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Whether the code has a template whose tag may read it as it is written. Such a file stays as it is. */
function hasRawText(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  const isTagged = 'type' in node && node.type === 'TaggedTemplateExpression' && 'quasi' in node
  return (isTagged && hasWritten(node.quasi)) || Object.values(node).some(hasRawText)
}

const template = z.object({ quasis: z.array(z.object({ value: z.object({ raw: z.string() }) })) })

function hasWritten(quasi: unknown): boolean {
  return template.parse(quasi).quasis.some(({ value }) => NOT_ASCII.test(value.raw))
}
