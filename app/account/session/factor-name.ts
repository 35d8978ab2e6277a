/** Returns a name that none of the person's factors has. */
export function freeName(taken: readonly string[], name: string): string {
  const names = [name, ...Array.from({ length: taken.length + 1 }, (_, index) => `${name} ${index + 2}`)]
  return names.find((free) => !taken.includes(free)) ?? ''
}
