import type { Operation } from './operation.ts'

export type Call = { method: string; path: string; operation: Operation }

/** How one reader asks: where, for which dataset, and what the variable is called that holds the key. */
export type Asker = { site: string; slug: string; key: string }

/** What is asked besides the address, so that an example shows something. */
const asked: [RegExp, string][] = [
  [/\/rows$/, 'limit=5'],
  [/\/changes$/, 'since=1'],
  [/\/download$/, 'format=csv'],
]

/** Where a call goes for this reader. */
export function addressOf({ path }: Pick<Call, 'path'>, { site, slug }: Asker): string {
  const query = asked.find(([place]) => place.test(path))?.[1]
  return `${site}${path.replaceAll(/\{\w+\}/g, slug)}${query ? `?${query}` : ''}`
}

/** The same call in a shell, in TypeScript and in Python. The key comes from the surroundings, so that it is in no file. */
export function examplesOf(address: string, { key }: Pick<Asker, 'key'>): string {
  return [
    block('bash', `curl "${address}" \\\n  --header "Authorization: Bearer $${key}"`),
    block(
      'typescript',
      [
        "import { env } from 'node:process'",
        '',
        `const answer = await fetch('${address}', {`,
        `  headers: { authorization: \`Bearer \${env.${key}}\` },`,
        '})',
        'if (!answer.ok) throw new Error((await answer.json()).detail)',
        'console.log(await answer.json())',
      ].join('\n'),
    ),
    block(
      'python',
      [
        'import os, requests',
        '',
        'answer = requests.get(',
        `    "${address}",`,
        `    headers={"Authorization": f"Bearer {os.environ['${key}']}"},`,
        ')',
        'answer.raise_for_status()',
        'print(answer.json())',
      ].join('\n'),
    ),
  ].join('\n\n')
}

/** The same for an answer that is a file. */
export function savingExamplesOf(address: string, { key, slug }: Pick<Asker, 'key' | 'slug'>): string {
  return [
    block('bash', `curl "${address}" \\\n  --header "Authorization: Bearer $${key}" \\\n  --output ${slug}.csv`),
    block(
      'typescript',
      [
        "import { writeFile } from 'node:fs/promises'",
        "import { env } from 'node:process'",
        '',
        `const answer = await fetch('${address}', {`,
        `  headers: { authorization: \`Bearer \${env.${key}}\` },`,
        '})',
        'if (!answer.ok || !answer.body) throw new Error((await answer.json()).detail)',
        `await writeFile('${slug}.csv', answer.body)`,
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
        ') as answer:',
        '    answer.raise_for_status()',
        `    with open("${slug}.csv", "wb") as file:`,
        '        for piece in answer.iter_content(1 << 20):',
        '            file.write(piece)',
      ].join('\n'),
    ),
  ].join('\n\n')
}

export function block(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}

/** What is known of the reader's dataset, by the names that answers give it, and one of its rows. */
export type Known = { values: Readonly<Record<string, unknown>>; row: unknown }

/**
 * An answer of this shape: made of the schema, so it is never another one than that which is sent, with what is known of the reader's dataset and else a value of
 * each kind. Nothing where the schema says no more than that it is an object.
 */
export function answerExample(schema: unknown, known: Known, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null) return null
  const { type, properties, items, anyOf, enum: allowed } = asSchema(schema)
  if (allowed?.length) return allowed[0]
  if (anyOf?.length) return answerExample(anyOf[0], known, depth)
  if (properties) {
    if (depth > MOST_NESTED) return {}
    // What lies inside of a dataset calls other things by the same names.
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
