import { z } from 'zod'

/** Bytes, as a description of endpoints says it. What is sent is not checked against it. */
export const bytes = z.unknown().meta({ type: 'string', format: 'binary' })

/** An answer that is a file of one of these media types. */
export function fileAnswer(description: string, ...types: [string, ...string[]]) {
  return { description, content: Object.fromEntries(types.map((type) => [type, { schema: bytes }])) }
}

/** Text and JSON that are written while they are sent. */
const text = z.unknown().meta({ type: 'string' })
const object = z.unknown().meta({ type: 'object' })

/** An answer that is text of one of these media types. */
export function textAnswer(description: string, ...types: [string, ...string[]]) {
  return { description, content: Object.fromEntries(types.map((type) => [type, { schema: text }])) }
}

/** An answer that is a JSON object. */
export function jsonAnswer(description: string) {
  return { description, content: { 'application/json': { schema: object } } }
}

/** Answers without a body. */
export const redirected = z.null().describe('Continues at the address in the header `Location`.')
export const unchanged = z.null().describe('What the sender already has is current.')
