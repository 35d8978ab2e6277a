import { parse, stringify } from 'yaml'
import { numberText } from '#app/platform/text/english-number.ts'

/** Front matter, with keys normalized to lowercase without hyphens and underscores. */
export type Matter = ReadonlyMap<string, unknown>

const MOST_CHARACTERS = 20_000
/** YAML aliases can expand beyond any memory, and a post needs none. */
const MOST_ALIASES = 0

/** Returns the reason when the front matter cannot be read. */
export function readFrontMatter(text: string): { matter: Matter; content: string } | { reason: string } {
  const lines = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  if (/^\+\+\+[ \t]*\n/.test(lines)) return { reason: 'Its front matter is TOML. Write it as YAML, between lines of ---.' }
  const [, yaml, content] = /^---[ \t]*\n((?:.*?\n)?)---[ \t]*(?:\n(.*))?$/s.exec(lines) ?? []
  if (yaml === undefined) return { matter: new Map(), content: lines }
  if (yaml.length > MOST_CHARACTERS) return { reason: `Its front matter is longer than ${numberText(MOST_CHARACTERS)} characters.` }
  const fields = readYaml(yaml)
  return fields ? { matter: fields, content: content ?? '' } : { reason: 'Its front matter is not valid YAML of names and values.' }
}

export function writeFrontMatter(fields: Record<string, unknown>, content: string): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return `---\n${stringify(Object.fromEntries(given), { lineWidth: 0 })}---\n\n${content}\n`
}

function readYaml(yaml: string): Matter | undefined {
  try {
    const read: unknown = parse(yaml, { schema: 'core', maxAliasCount: MOST_ALIASES, logLevel: 'error' }) ?? {}
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined
    return new Map(Object.entries(read).map(([name, value]) => [name.toLowerCase().replaceAll(/[-_]/g, ''), value]))
  } catch {
    // The parser's messages are for programmers.
    return undefined
  }
}
