import { errorCodes, type FastifyBodyParser, type FastifyInstance } from 'fastify'

/** No sensible body is deeper. Code that recurses into a value would overflow the stack. */
const DEEPEST = 100

/** The framework's JSON parser, but with a limit on depth: a short body has room for half a million levels. */
export function jsonReader(http: FastifyInstance): FastifyBodyParser<string> {
  const parse = http.getDefaultJsonParser('error', 'error')
  return (request, body, done) =>
    parse(request, body, (error, value) => {
      if (error) done(error)
      else if (isDeeper(value, DEEPEST)) done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
      else done(null, value)
    })
}

/** Level by level, without recursion. */
function isDeeper(value: unknown, deepest: number): boolean {
  let level = [value].filter(isObject)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= deepest) return true
    level = level.flatMap((part) => Object.values(part).filter(isObject))
  }
  return false
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
