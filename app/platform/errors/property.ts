/** A property of something unknown, such as an error of a library, as text; empty when it has none. */
export function propertyOf(thing: unknown, name: string): string {
  if (typeof thing !== 'object' || thing === null) return ''
  return String(Reflect.get(thing, name) ?? '')
}
