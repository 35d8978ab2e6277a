import { LRUCache } from 'lru-cache'
import { RE2JS, RE2Set } from 're2js'
import { foldCase } from './address.server.ts'

/** In characters, and in instructions of the compiled program. It limits the work per character of a path. */
export const LONGEST_PATTERN = 500
export const MOST_STEPS = 150
/** In bytes: the state cache of a compiled program. Without it matching is slower, but still linear. */
const MEMORY = 128 * 1024

export type Pattern = {
  /** Every matching path begins with `begins` and contains `holds`. Both ignore case if the rule does. */
  begins: string
  holds: string
  groups: number
  matches: (path: string) => boolean
  /** The captured groups, the first at index 0. */
  capture: (path: string) => string[] | undefined
}

const known = new LRUCache<string, Pattern>({ max: 5000 })

/** A regular expression for whole paths, in linear time. Throws with the engine's reason when it is invalid. */
export function readPattern(source: string, ignoresCase: boolean): Pattern {
  const key = `${ignoresCase ? 'i' : ' '}${source}`
  const pattern = known.get(key) ?? compile(source, ignoresCase)
  known.set(key, pattern)
  return pattern
}

function compile(source: string, ignoresCase: boolean): Pattern {
  const flags = ignoresCase ? RE2JS.CASE_INSENSITIVE : 0
  const machine = RE2JS.compile(source, flags)
  if (machine.programSize() > MOST_STEPS) throw new Error(`it has ${machine.programSize()} steps; the limit is ${MOST_STEPS}`)
  const set = new RE2Set(RE2Set.ANCHOR_BOTH, flags, MEMORY)
  set.add(source)
  set.compile()
  const { begins, holds } = literalsOf(source)
  return {
    begins: ignoresCase ? foldCase(asciiStart(begins)) : begins,
    holds: ignoresCase ? foldCase(asciiStart(holds)) : holds,
    groups: machine.groupCount(),
    matches: (path) => set.match(path).length > 0,
    capture(path) {
      const matcher = machine.matcher(path)
      if (!matcher.matches()) return undefined
      return Array.from({ length: matcher.groupCount() }, (_, index) => matcher.group(index + 1) ?? '')
    },
  }
}

/** Case folding beyond ASCII is known to the engine alone. */
function asciiStart(text: string): string {
  return /^\p{ASCII}*/u.exec(text)?.[0] ?? ''
}

/** The literal text outside of groups: the prefix, and the longest piece. An alternation of whole patterns has neither. */
function literalsOf(source: string): { begins: string; holds: string } {
  const runs = runsOf(source)
  const longest = runs.reduce((best, run) => (run.text.length > best.length ? run.text : best), '')
  return { begins: runs[0]?.at === 0 ? runs[0].text : '', holds: longest }
}

type Run = { at: number; text: string }

/** One token of a regular expression: a class, a literal character, an operator. */
const THING = /\\[QpPx].*|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\\[\s\S]|[\s\S]/gu
const OPTIONAL = /^[*?{]/

function runsOf(source: string): Run[] {
  const runs: Run[] = []
  let [depth, open] = [0, false]
  for (const { 0: thing, index } of source.matchAll(THING)) {
    if (thing === '|' && depth === 0) return []
    if (thing === '(') depth += 1
    if (thing === ')') depth -= 1
    const character = depth === 0 ? literalCharacter(thing) : undefined
    const after = source.slice(index + thing.length)
    if (character === undefined || OPTIONAL.test(after)) {
      open = false
      continue
    }
    const last = runs.at(-1)
    if (open && last) last.text += character
    else runs.push({ at: index, text: character })
    open = !after.startsWith('+')
  }
  return runs
}

/** The character that a token matches literally, if any. */
function literalCharacter(thing: string): string | undefined {
  if (/^\\[^\w\s]$/u.test(thing)) return thing.slice(1)
  return /^[^\\[\](){}*+?.^$|]$/u.test(thing) ? thing : undefined
}
