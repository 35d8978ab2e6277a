import type { Operation } from './operation.ts'

export type Call = { method: string; path: string; operation: Operation }

/** The caller of an example: site, dataset, and the variable that holds the key. */
export type ExampleCaller = { site: string; slug: string; key: string }

/** Query parameters that make the example show something. */
const asked: [RegExp, string][] = [
  [/\/rows$/, 'limit=5'],
  [/\/changes$/, 'since=1'],
  [/\/download$/, 'format=csv'],
]

export function exampleUrl({ path }: Pick<Call, 'path'>, { site, slug }: ExampleCaller): string {
  const query = asked.find(([place]) => place.test(path))?.[1]
  return `${site}${path.replaceAll(/\{\w+\}/g, slug)}${query ? `?${query}` : ''}`
}

/** The same call for a shell, TypeScript and Python. The key comes from the environment, so no file holds it. */
export function listCodeExamples(address: string, { key }: Pick<ExampleCaller, 'key'>): string {
  return [
    block('bash', `curl "${address}" \\\n  --header "Authorization: Bearer $${key}"`),
    block(
      'typescript',
      [
        "import { env } from 'node:process'",
        '',
        `const response = await fetch('${address}', {`,
        `  headers: { authorization: \`Bearer \${env.${key}}\` },`,
        '})',
        'if (!response.ok) throw new Error((await response.json()).detail)',
        'console.log(await response.json())',
      ].join('\n'),
    ),
    block(
      'python',
      [
        'import os, requests',
        '',
        'response = requests.get(',
        `    "${address}",`,
        `    headers={"Authorization": f"Bearer {os.environ['${key}']}"},`,
        ')',
        'response.raise_for_status()',
        'print(response.json())',
      ].join('\n'),
    ),
  ].join('\n\n')
}

/** The same for a response that is a file. */
export function savingExamplesOf(address: string, { key, slug }: Pick<ExampleCaller, 'key' | 'slug'>): string {
  return [
    block('bash', `curl "${address}" \\\n  --header "Authorization: Bearer $${key}" \\\n  --output ${slug}.csv`),
    block(
      'typescript',
      [
        "import { writeFile } from 'node:fs/promises'",
        "import { env } from 'node:process'",
        '',
        `const response = await fetch('${address}', {`,
        `  headers: { authorization: \`Bearer \${env.${key}}\` },`,
        '})',
        'if (!response.ok || !response.body) throw new Error((await response.json()).detail)',
        `await writeFile('${slug}.csv', response.body)`,
      ].join('\n'),
    ),
    block(
      'python',
      [
        'import os, requests',
        '',
        'with requests.get(',
        `    "${address}",`,
        `    headers={"Authorization": f"Bearer {os.environ['${key}']}"},`,
        '    stream=True,',
        ') as response:',
        '    response.raise_for_status()',
        `    with open("${slug}.csv", "wb") as file:`,
        '        for piece in response.iter_content(1 << 20):',
        '            file.write(piece)',
      ].join('\n'),
    ),
  ].join('\n\n')
}

export function block(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

/** Known values of the reader's dataset, by their names in responses, and one of its rows. */
export type ExampleColumns = { values: Readonly<Record<string, unknown>>; row: unknown }

/**
 * Returns an example of a response with this shape. It is derived from the schema, so the two always agree. It uses known values of the
 * reader's dataset, and otherwise a value of each type. Returns undefined where the schema says only "object".
 */
export function answerExample(schema: unknown, known: ExampleColumns, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null) return null
  const { type, properties, items, anyOf, enum: allowed } = asSchema(schema)
  if (allowed?.length) return allowed[0]
  if (anyOf?.length) return answerExample(anyOf[0], known, depth)
  if (properties) {
    if (depth > MOST_NESTED) return {}
    // Nested objects use the same names for other things.
    const values = depth === 0 || 'access' in properties ? known.values : {}
    return Object.fromEntries(
      Object.entries(properties).map(([name, one]) => [name, name in values ? values[name] : answerExample(one, known, depth + 1)]),
    )
  }
  if (items) return depth > MOST_NESTED ? [] : [answerExample(items, known, depth + 1)]
  const [kind = ''] = [type].flat()
  if (kind === 'object') return depth === 0 ? undefined : known.row
  return simple[kind] ?? null
}

const MOST_NESTED = 3

const simple: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true }

type Schema = {
  type?: string | string[]
  properties?: Record<string, unknown>
  items?: unknown
  anyOf?: unknown[]
  enum?: unknown[]
}

function asSchema(schema: object): Schema {
  return schema
}
