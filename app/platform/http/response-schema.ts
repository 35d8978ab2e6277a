import { z } from 'zod'

/** Bytes, for the API description. Responses are not checked against it. */
export const bytes = z.unknown().meta({ type: 'string', format: 'binary' })

/** A response that is a file of one of these media types. */
export function fileResponseSchema(description: string, ...types: [string, ...string[]]) {
  return { description, content: Object.fromEntries(types.map((type) => [type, { schema: bytes }])) }
}

/** Text and JSON that are written while they are sent. */
const text = z.unknown().meta({ type: 'string' })
const object = z.unknown().meta({ type: 'object' })

/** A response that is text of one of these media types. */
export function textAnswer(description: string, ...types: [string, ...string[]]) {
  return { description, content: Object.fromEntries(types.map((type) => [type, { schema: text }])) }
}

/** A response that is a JSON object. */
export function jsonAnswer(description: string) {
  return { description, content: { 'application/json': { schema: object } } }
}

/** Responses without a body. */
export const redirected = z.null().describe('Continues at the address in the header `Location`.')
export const unchanged = z.null().describe('Not modified: the client has the current version.')
