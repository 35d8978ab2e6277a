/** A name that none of one's factors has yet. */
export function freeName(taken: readonly string[], name: string): string {
  const names = [name, ...Array.from({ length: taken.length + 1 }, (_, index) => `${name} ${index + 2}`)]
  return names.find((free) => !taken.includes(free)) ?? ''
}
