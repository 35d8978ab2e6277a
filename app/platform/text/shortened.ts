/** Cuts a text at the end of a word, to at most `most` characters with the ellipsis. */
export function shortened(text: string, most: number): string {
  const characters = Array.from(text)
  if (characters.length <= most) return text
  const cut = characters.slice(0, most - 1).join('')
  return `${/\s/.test(cut) ? cut.replace(/\s+\S*$/, '') : cut}…`
}
