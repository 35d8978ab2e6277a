import { errorCodes, type FastifyBodyParser, type FastifyInstance } from 'fastify'

/** Nothing that anyone means is deeper. What walks through a value calls itself once for each level, and would end with a stack that is full. */
const DEEPEST = 100

/** Reads JSON as the framework does, but for bodies whose only purpose can be their depth: a short one has room for half a million levels. */
export function jsonReader(http: FastifyInstance): FastifyBodyParser<string> {
  const parse = http.getDefaultJsonParser('error', 'error')
  return (request, body, done) =>
    parse(request, body, (error, value) => {
      if (error) done(error)
      else if (isDeeper(value, DEEPEST)) done(new errorCodes.FST_ERR_CTP_INVALID_JSON_BODY())
      else done(null, value)
    })
}

/** Level by level, so that the depth costs no stack. */
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
