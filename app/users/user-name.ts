import { oneLine } from '#app/platform/clean-text.ts'

/** How someone calls themselves, where they have said it. People can write anything there: nothing invisible stays, and nothing that turns the text around it. */
export function nameOf({ first_name: first, last_name: last, full_name: full }: Readonly<Record<string, unknown>>): string | null {
  const name = [first, last].filter((part) => typeof part === 'string').join(' ') || full
  return typeof name === 'string' ? oneLine(name).slice(0, 200) || null : null
}
