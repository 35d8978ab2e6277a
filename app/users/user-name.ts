/** How someone calls themselves, where they have said it. */
export function nameOf({ first_name: first, last_name: last, full_name: full }: Readonly<Record<string, unknown>>): string | null {
  const name = [first, last].filter((part) => typeof part === 'string').join(' ') || full
  return typeof name === 'string' ? name.trim().slice(0, 200) || null : null
}
