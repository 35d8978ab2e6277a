import { RE2JS, RE2Set } from 're2js'
import { foldCase } from './address.server.ts'

/** In characters, and in steps of the machine that it becomes: so much at most for each letter of a path. */
export const LONGEST_PATTERN = 500
export const MOST_STEPS = 150
/** In bytes: what a machine may remember of its states. Beyond it is slower, still in linear time. */
const MEMORY = 128 * 1024

export type Pattern = {
  /** Every path that matches begins with this, and holds that; both without regard to case where the rule has none. */
  begins: string
  holds: string
  groups: number
  matches: (path: string) => boolean
  /** What its groups caught, the first at 0. */
  capture: (path: string) => string[] | undefined
}

const known = new Map<string, Pattern>()
const MOST_KNOWN = 5000

/** A regular expression for whole paths, in linear time. Throws with the reason of the engine when it is none. */
export function readPattern(source: string, ignoresCase: boolean): Pattern {
  const key = `${ignoresCase ? 'i' : ' '}${source}`
  const pattern = known.get(key) ?? compile(source, ignoresCase)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(key, pattern)
  return pattern
}

function compile(source: string, ignoresCase: boolean): Pattern {
  const flags = ignoresCase ? RE2JS.CASE_INSENSITIVE : 0
  const machine = RE2JS.compile(source, flags)
  if (machine.programSize() > MOST_STEPS) throw new Error(`it has ${machine.programSize()} steps, at most ${MOST_STEPS} are taken`)
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

/** Letters beyond ASCII have others that stand for them in ways that only the machine knows. */
function asciiStart(text: string): string {
  return /^\p{ASCII}*/u.exec(text)?.[0] ?? ''
}

/** What stands in it letter by letter, outside of groups: its beginning, and the longest. A choice between whole patterns has neither. */
function literalsOf(source: string): { begins: string; holds: string } {
  const runs = runsOf(source)
  const longest = runs.reduce((best, run) => (run.text.length > best.length ? run.text : best), '')
  return { begins: runs[0]?.at === 0 ? runs[0].text : '', holds: longest }
}

type Run = { at: number; text: string }

/** One thing of a regular expression: a class, a letter that stands for itself, a mark. */
const THING = /\\[QpPx].*|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\\[\s\S]|[\s\S]/gu
const OPTIONAL = /^[*?{]/

function runsOf(source: string): Run[] {
  const runs: Run[] = []
  let [depth, open] = [0, false]
  for (const { 0: thing, index } of source.matchAll(THING)) {
    if (thing === '|' && depth === 0) return []
    if (thing === '(') depth += 1
    if (thing === ')') depth -= 1
    const letter = depth === 0 ? letterOf(thing) : undefined
    const after = source.slice(index + thing.length)
    if (letter === undefined || OPTIONAL.test(after)) {
      open = false
      continue
    }
    const last = runs.at(-1)
    if (open && last) last.text += letter
    else runs.push({ at: index, text: letter })
    open = !after.startsWith('+')
  }
  return runs
}

/** The letter that a thing stands for, if it stands for one. */
function letterOf(thing: string): string | undefined {
  if (/^\\[^\w\s]$/u.test(thing)) return thing.slice(1)
  return /^[^\\[\](){}*+?.^$|]$/u.test(thing) ? thing : undefined
}
