import { readFileSync } from 'node:fs'

type Term = { parents: string[]; properties: Map<string, string[]> }

/** The vocabulary of schema.org, from its package of types. */
const terms = new Map<string, Term>()

for (const [, name = '', parents = '', body = ''] of readFileSync('node_modules/schema-dts/dist/schema.d.ts', 'utf8').matchAll(
  /^(?:export )?interface (\w+?)(?:Base|Leaf) extends ([^{]+?) \{\n(.*?)^\}/gms,
)) {
  const term = terms.get(name) ?? { parents: [], properties: new Map<string, string[]>() }
  terms.set(name, term)
  term.parents.push(...[...parents.matchAll(/(\w+)Base\b/g)].map(([, parent = '']) => parent).filter((parent) => parent !== name))
  for (const [, property = '', range = ''] of body.matchAll(/^ {4}"(\w+)"\?: SchemaValue<(.*), "\w+">;$/gm)) {
    term.properties.set(property, range.split(' | '))
  }
}

/** The faults of a block of structured data, by place: types and properties unknown to schema.org, and invalid values. */
export function faultsIn(value: unknown, allowed: readonly string[] = ['Thing'], place = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsIn(item, allowed, `${place}[${index}]`))
  if (typeof value !== 'object' || value === null) return isPlainIn(value, allowed) ? [] : [`${place} is ${typeof value}`]
  const type: unknown = Reflect.get(value, '@type')
  const properties = Object.entries(value).filter(([name]) => !name.startsWith('@'))
  if (type === undefined) return '@id' in value && properties.length === 0 ? [] : [`${place} has no type`]
  if (typeof type !== 'string' || !terms.has(type)) return [`${place} is of an unknown type`]
  const isMisplaced = !allowed.some((range) => isKindOf(type, range))
  return [
    ...(isMisplaced ? [`${place} may not be ${type}`] : []),
    ...properties.flatMap(([name, inner]) => {
      const range = rangeOf(type, name)
      return range ? faultsIn(inner, range, `${place}${type}.${name} `) : [`${type} has no ${name}`]
    }),
  ]
}

function isPlainIn(value: unknown, allowed: readonly string[]): boolean {
  if (typeof value === 'number') return allowed.some((range) => /Number|Integer|Float/.test(range))
  if (typeof value === 'boolean') return allowed.includes('Boolean')
  if (typeof value !== 'string' || value === '') return false
  // A URL may refer to a thing.
  if (allowed.includes('Thing') && URL.canParse(value)) return true
  return allowed.some((range) => /Text|URL|Date|Time|string/.test(range))
}

function isKindOf(type: string, ancestor: string): boolean {
  return type === ancestor || (terms.get(type)?.parents ?? []).some((parent) => isKindOf(parent, ancestor))
}

function rangeOf(type: string, property: string): readonly string[] | undefined {
  const term = terms.get(type)
  return term?.properties.get(property) ?? term?.parents.map((parent) => rangeOf(parent, property)).find(Boolean)
}
