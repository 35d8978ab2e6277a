import { z } from 'zod/mini'

export const formats = [
  { value: 'csv', label: 'CSV', ending: 'csv' },
  { value: 'json', label: 'JSON', ending: 'json' },
  { value: 'apache', label: 'Apache (.htaccess)', ending: 'htaccess' },
  { value: 'nginx', label: 'nginx', ending: 'conf' },
] as const

export const format = z.enum(['csv', 'json', 'apache', 'nginx'], 'The format is csv, json, apache or nginx')

export type Format = z.infer<typeof format>

/** The fields that a column of a file can be, with their labels. */
export const ruleFieldLabels = {
  fromPath: 'From',
  toPath: 'To',
  statusCode: 'Status code',
  isActive: 'Active',
  description: 'Description',
  kind: 'Kind',
  isRegex: 'Regular expression',
  query: 'Query',
  ignoresSlash: 'Ignores slash',
  ignoresCase: 'Ignores case',
} as const

export type RuleField = keyof typeof ruleFieldLabels

const isRuleField = (name: string): name is RuleField => name in ruleFieldLabels
export const ruleFields = Object.keys(ruleFieldLabels).filter(isRuleField)

/** The names of the columns of a CSV file, and the field of each. */
export type RuleHead = { heads: string[]; columns: (RuleField | null)[] }

export const fileLimits = { characters: 2_000_000, lines: 20_000 } as const

/** Guesses the format from the file name, else from the beginning of the text. */
export function detectFormat(text: string, name = ''): Format {
  const [, ending = ''] = /\.(csv|tsv|json|htaccess|conf)$/i.exec(name) ?? []
  const lower = ending.toLowerCase()
  if (lower === 'csv' || lower === 'tsv') return 'csv'
  if (lower === 'json' || /^\s*[[{]/.test(text)) return 'json'
  if (lower === 'htaccess' || /^[ \t]*(#[ \t]*inactive:[ \t]*)?(Redirect\w*|Rewrite(Rule|Engine|Cond|Base))\s/im.test(text)) return 'apache'
  if (/^[ \t]*(#[ \t]*inactive:[ \t]*)?(rewrite|return|location|map|server|if)\b[^\n,]*[;{]/m.test(text) || lower === 'conf') return 'nginx'
  return 'csv'
}
