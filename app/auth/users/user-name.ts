import { oneLine } from '#app/platform/text/clean-text.ts'

/** The user's own display name. It is free text, so invisible and direction-changing characters are removed. */
export function nameOf({ first_name: first, last_name: last, full_name: full }: Readonly<Record<string, unknown>>): string | null {
  const name = [first, last].filter((part) => typeof part === 'string').join(' ') || full
  return typeof name === 'string' ? oneLine(name).slice(0, 200) || null : null
}
