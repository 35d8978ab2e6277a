import { parseAst, type Plugin } from 'vite'
import { z } from 'zod'

const NOT_ASCII = /[^\0-\x7F]/

/** Makes the code of the server quick to load and small in memory. Names and lines of our own code stay as they are, so errors stay readable. */
export function serverCode(): Plugin {
  const quick = new Set<string>()
  return {
    name: 'winnow:server-code',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    config: () => ({
      environments: { ssr: { build: { rolldownOptions: { output: { comments: { legal: true, annotation: false, jsdoc: false } } } } } },
    }),
    transform: {
      filter: { id: /\/node_modules\// },
      handler(source, id) {
        const code = quicker(source, id)
        if (code !== undefined) quick.add(id)
        return code
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        if (quick.size !== new Set(replacements.map(({ file }) => file)).size)
          throw new Error('The build has slow code that was to be replaced.')
        // The files beside `assets` end with .js, and the project's own package.json makes such files ES modules.
        this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }\n' })
        for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = inAscii(file.code)
      },
    },
  }
}

/** Slow code of packages at a start, and the code that replaces it. Both do the same. */
const replacements = [
  // The router would compile a function for each short part of an address. For a long part, it would search the whole address.
  { file: 'find-my-way/lib/node.js', code: 'const LONG_PREFIX_MIN_LENGTH = 16', by: 'const LONG_PREFIX_MIN_LENGTH = 2' },
  { file: 'find-my-way/lib/node.js', code: 'path.indexOf(prefix, i) === i', by: 'path.startsWith(prefix, i)' },
  // The router would compile a function for each route, though most routes have the same few parameters.
  { file: 'find-my-way/lib/handler-storage.js', code: 'class HandlerStorage {', by: 'const compiled = new Map()\nclass HandlerStorage {' },
  {
    file: 'find-my-way/lib/handler-storage.js',
    code: "return new Function('NullObject', fnBody.join('\\n'))(NullObject)",
    by: "const body = fnBody.join('\\n'); if (!compiled.has(body)) compiled.set(body, new Function('NullObject', body)(NullObject)); return compiled.get(body)",
  },
]

/** Replaces slow code of a package. Throws when that code has changed, as after an update. Then check the replacement again. */
export function quicker(source: string, id: string): string | undefined {
  const found = replacements.filter(({ file }) => id.endsWith(`/node_modules/${file}`))
  if (found.length === 0) return undefined
  return found.reduce((text, { file, code, by }) => {
    if (text.split(code).length !== 2) throw new Error(`${file} has changed, so its slow code is not replaced.`)
    return text.replace(code, () => by)
  }, source)
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
