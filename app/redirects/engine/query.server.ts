import type { Rule } from './rule.ts'

/** Parameters that advertisements, newsletters and analytics add to a link. They name no page. */
const TRACKING =
  /^(?:(?:utm_|mc_|_ga).*|_gl|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|ttclid|twclid|li_fat_id|igshid|yclid|srsltid|epik|mkt_tok|_hsenc|_hsmi)$/i

type Parameter = { /** As the visitor sent it. */ sent: string; name: string; /** Name and value in one spelling. */ pair: string }

/** The parameters of a query in their order. */
export function readParameters(query: string): Parameter[] {
  return query.split('&').flatMap((sent) => {
    const [entry] = new URLSearchParams(`&${sent}`)
    return entry ? [{ sent, name: entry[0], pair: new URLSearchParams([entry]).toString() }] : []
  })
}

/** Reads a query once, however many rules look at it. */
export class RequestedQuery {
  readonly sent: string
  #parameters: Parameter[] | undefined

  constructor(sent: string) {
    this.sent = sent
  }

  get parameters(): readonly Parameter[] {
    return (this.#parameters ??= readParameters(this.sent))
  }
}

/** Returns the part of a query that goes on to the target; `undefined` when the rule does not match the query. */
export type QueryMatch = (asked: RequestedQuery) => string | undefined

/** `wanted` is the query of the rule's own address. */
export function matchOfQuery(option: Rule['query'], wanted: string): QueryMatch {
  if (option === 'ignore') return () => ''
  const own = readParameters(wanted)
  if (option === 'exact') return exactly(own)
  return own.length > 0 ? containing(own) : ({ sent }) => sent
}

/** Tracking parameters make no difference, unless the rule names them. */
function exactly(own: readonly Parameter[]): QueryMatch {
  const named = new Set(own.map(({ name }) => name))
  const whole = textOf(own)
  return ({ parameters }) => {
    const isTracking = ({ name }: Parameter) => TRACKING.test(name) && !named.has(name)
    const compared = textOf(parameters.filter((one) => !isTracking(one)))
    return compared === whole ? sentAs(parameters.filter(isTracking)) : undefined
  }
}

/** Each parameter of the rule has to be there, in any order and among others. */
function containing(own: readonly Parameter[]): QueryMatch {
  return ({ parameters }) => {
    const others = [...parameters]
    for (const { pair } of own) {
      const at = others.findIndex((one) => one.pair === pair)
      if (at < 0) return undefined
      others.splice(at, 1)
    }
    return sentAs(others)
  }
}

function textOf(parameters: readonly Parameter[]): string {
  return parameters.map(({ pair }) => pair).join('&')
}

function sentAs(parameters: readonly Parameter[]): string {
  return parameters.map(({ sent }) => sent).join('&')
}
