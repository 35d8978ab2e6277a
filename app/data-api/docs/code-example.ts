import type { Operation } from './operation.ts'

export type Call = { method: string; path: string; operation: Operation }

/** The caller of an example: site, dataset, and the variable that holds the key. */
export type ExampleCaller = { site: string; slug: string; key: string }

/** The languages of the examples, in the order of their tabs; `bash` runs curl. */
export const exampleLanguages = { bash: 'curl', typescript: 'TypeScript', python: 'Python' } as const

export type CodeExample = { language: keyof typeof exampleLanguages; code: string }

/** The rows of an example, which the example requests by `limit`. */
export const EXAMPLE_ROWS = 2

/** Query parameters that make the example show something. */
const asked: [RegExp, string][] = [
  [/\/rows$/, `limit=${EXAMPLE_ROWS}`],
  [/\/changes$/, 'since=1'],
  [/\/download$/, 'format=csv'],
]

export function exampleQuery(path: string): string {
  return asked.find(([place]) => place.test(path))?.[1] ?? ''
}

export function exampleUrl({ path }: Pick<Call, 'path'>, { site, slug }: ExampleCaller): string {
  const query = exampleQuery(path)
  return `${site}${path.replaceAll(/\{\w+\}/g, slug)}${query ? `?${query}` : ''}`
}

/** The same call for a shell, TypeScript and Python. The key comes from the environment, so no file holds it. */
export function listCodeExamples(call: Pick<Call, 'path'>, caller: ExampleCaller): CodeExample[] {
  const address = exampleUrl(call, caller)
  return call.path.endsWith('/download') ? savingExamples(address, caller) : readingExamples(address, caller)
}

function readingExamples(address: string, { key }: ExampleCaller): CodeExample[] {
  return [
    { language: 'bash', code: `curl "${address}" \\\n  --header "Authorization: Bearer $${key}"` },
    {
      language: 'typescript',
      code: [
        "import { env } from 'node:process'",
        '',
        `const response = await fetch('${address}', {`,
        `  headers: { authorization: \`Bearer \${env.${key}}\` },`,
        '})',
        'if (!response.ok) throw new Error((await response.json()).detail)',
        'console.log(await response.json())',
      ].join('\n'),
    },
    {
      language: 'python',
      code: [
        'import os, requests',
        '',
        'response = requests.get(',
        `    "${address}",`,
        `    headers={"Authorization": f"Bearer {os.environ['${key}']}"},`,
        ')',
        'response.raise_for_status()',
        'print(response.json())',
      ].join('\n'),
    },
  ]
}

/** The same for a response that is a file. */
function savingExamples(address: string, { key, slug }: ExampleCaller): CodeExample[] {
  return [
    { language: 'bash', code: `curl "${address}" \\\n  --header "Authorization: Bearer $${key}" \\\n  --output ${slug}.csv` },
    {
      language: 'typescript',
      code: [
        "import { writeFile } from 'node:fs/promises'",
        "import { env } from 'node:process'",
        '',
        `const response = await fetch('${address}', {`,
        `  headers: { authorization: \`Bearer \${env.${key}}\` },`,
        '})',
        'if (!response.ok || !response.body) throw new Error((await response.json()).detail)',
        `await writeFile('${slug}.csv', response.body)`,
      ].join('\n'),
    },
    {
      language: 'python',
      code: [
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
    },
  ]
}

export function block(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``
}
