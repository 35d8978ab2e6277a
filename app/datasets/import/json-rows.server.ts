/** The kinds of values that a key has in some row, apart from null. */
export type JsonKind = 'text' | 'number' | 'boolean' | 'list' | 'object'

/** A row as the engine can read it without loss, with the kinds of its values; or why it is none. */
export type JsonRow = { text: string; kinds: [key: string, kind: JsonKind | undefined][] } | { reason: string }

/** A hundred nested lists or objects. Deeper ones cannot be serialized again. */
const TOO_DEEP = /([[{]\s*("[^"\\]*"\s*:\s*)?){100}/
const TEXTS = /"(?:[^"\\]|\\.)*"/g
/** A number that a reader of doubles may change, also inside a text. */
const RISKY_NUMBER = /\d[\d.]{15}|-0|[eE][-+]?\d{3}/
const RISKY_TEXT = /\\u(0000|[dD][89a-fA-F])/

/** Checks a row strictly, because the engine also reads what is not JSON, such as NaN. */
export function readJsonRow(text: string): JsonRow {
  if (TOO_DEEP.test(text) && TOO_DEEP.test(text.replaceAll(TEXTS, '""'))) return { reason: 'The line is nested too deeply' }
  const value = parsed(text)
  if (value === undefined) return { reason: 'The line is not valid JSON' }
  if (!isObject(value)) return { reason: 'The line is not an object' }
  const fault = RISKY_TEXT.test(text) ? faultOf(text) : undefined
  if (fault) return { reason: fault }
  const kinds = Object.entries(value).map(([key, each]): [string, JsonKind | undefined] => [key, kindOf(each)])
  return { text: RISKY_NUMBER.test(text) ? withSafeNumbers(text) : text, kinds }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function kindOf(value: unknown): JsonKind | undefined {
  if (value === null) return undefined
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'text'
}

/** Text that no database stores. */
function faultOf(text: string): string | undefined {
  let fault: string | undefined
  JSON.parse(text, (key, value) => {
    for (const each of [key, value]) {
      if (typeof each !== 'string') continue
      if (each.includes('\0')) fault = 'The line contains a NUL character'
      else if (!each.isWellFormed()) fault = String.raw`The line contains half of a character, such as \ud83d without its other half`
    }
    return value
  })
  return fault
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/** Numbers that would lose a digit become text. */
function withSafeNumbers(json: string): string {
  return json.replaceAll(TOKEN, (token) => (token.startsWith('"') || isSafe(token) ? token : `"${token}"`))
}

/** Whether the number has the same digits again; zeros at its end mean nothing in JSON. */
function isSafe(source: string): boolean {
  const value = Number(source)
  return Number.isFinite(value) && !Object.is(value, -0) && digitsOf(source) === digitsOf(String(value))
}

function digitsOf(number: string): string {
  return (number.split(/e/i)[0] ?? '').replaceAll(/[-.]/g, '').replaceAll(/^0+|0+$/g, '')
}
