import { readAddress } from '#app/redirects/engine/address.server.ts'
import type { Rule } from '#app/redirects/engine/rule.ts'
import { dice, lineByLine, makeRule } from './redirect-rules.ts'

const WORDS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const

/**
 * Rules with planted circles of one to six, in any order. `circles` lists the rules of reachable circles, because earlier rules may match their
 * addresses. An independent method finds them: line by line, hop by hop.
 */
export function rollRuleSet(seed: number): { rules: Rule[]; circles: Rule[] } {
  const chance = dice(seed)
  const { roll, pick } = chance
  const word = () => `${pick(WORDS)}${roll(4)}`
  const rules: Rule[] = []
  const planted: { rule: Rule; start: string }[] = []
  for (let count = 5 + roll(30); count > 0; count -= 1) {
    const isWild = roll(4) === 0
    const [from, to] = [`/${word()}/${word()}`, `/${word()}/${word()}`]
    rules.push(
      makeRule({
        id: `r${rules.length}`,
        fromPath: isWild ? `${from}/*` : from,
        toPath: isWild && roll(2) === 0 ? `${to}/*` : to,
        kind: isWild ? 'wildcard' : 'exact',
      }),
    )
  }
  for (let circles = 1 + roll(3); circles > 0; circles -= 1) {
    const isWild = roll(3) === 0
    const places = Array.from({ length: 1 + roll(6) }, (_, index) => `/loop${circles}/${word()}${index}`)
    for (const [index, place] of places.entries()) {
      const next = places[(index + 1) % places.length] ?? place
      const [fromPath, toPath] = isWild ? [`${place}/*`, `${next}/*`] : [place, next]
      const rule = makeRule({ id: `c${circles}.${index}`, fromPath, toPath, kind: isWild ? 'wildcard' : 'exact' })
      planted.push({ rule, start: isWild ? `${place}/anything` : place })
      rules.splice(roll(rules.length + 1), 0, rule)
    }
  }
  // A rule that may match some of their addresses first.
  if (roll(3) === 0)
    rules.splice(roll(rules.length + 1), 0, makeRule({ id: 'wall', fromPath: `/loop1/${pick(WORDS)}*`, toPath: '/end', kind: 'wildcard' }))
  const find = lineByLine(rules)
  return { rules, circles: planted.filter(({ rule, start }) => goesRound(find, rule, start)).map(({ rule }) => rule) }
}

function goesRound(find: ReturnType<typeof lineByLine>, first: Rule, start: string): boolean {
  let path = start
  for (let hop = 0; hop < 200; hop += 1) {
    const rule = find(path)
    if (!rule || (hop === 0 && rule !== first)) return false
    path = rule.kind === 'wildcard' ? rule.toPath.replace('*', readAddress(path).path.slice(rule.fromPath.length - 1)) : rule.toPath
  }
  return true
}

/** Runs work in steps to its end, synchronously. `count` is called for each step. */
export function finish<T>(work: Generator<void, T>, count: () => void = () => {}): T {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    count()
  }
}
