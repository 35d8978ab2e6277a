import { readFileSync } from 'node:fs'

/** A code block of the operations page on erasing a person's data. */
export function erasureBlock(language: 'sql' | 'sh'): string {
  const page = readFileSync('docs/operations.md', 'utf8')
  const section = page.slice(page.indexOf("## Erase a person's data"))
  const block = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(section)?.[1]
  if (!block) throw new Error(`The section on erasing has no block of ${language}.`)
  return block
}

/** The documented statements, for the address of a person. */
export function erasureOf(email: string): string {
  return erasureBlock('sql').replace('ada@example.com', email)
}
