import { parse, stringify } from 'yaml'

/** What stands above the text of a file, by names without capitals, hyphens and underscores. */
export type Matter = ReadonlyMap<string, unknown>

const MOST_CHARACTERS = 20_000
/** One value used again and again can become more than any memory: a post has no need of that. */
const MOST_ALIASES = 0

/** Answers why, where what stands above the text cannot be read. */
export function readFrontMatter(text: string): { matter: Matter; content: string } | { reason: string } {
  const lines = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  if (/^\+\+\+[ \t]*\n/.test(lines)) return { reason: 'Its front matter is TOML. Write it as YAML, between lines of ---.' }
  const [, yaml, content] = /^---[ \t]*\n((?:.*?\n)?)---[ \t]*(?:\n(.*))?$/s.exec(lines) ?? []
  if (yaml === undefined) return { matter: new Map(), content: lines }
  if (yaml.length > MOST_CHARACTERS)
    return { reason: `Its front matter is longer than ${MOST_CHARACTERS.toLocaleString('en')} characters.` }
  const fields = readYaml(yaml)
  return fields ? { matter: fields, content: content ?? '' } : { reason: 'Its front matter is not YAML with a name for each value.' }
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
    // Whatever is wrong with it: its words are for programmers.
    return undefined
  }
}
