/** The position of an error in a query that was run, in characters from 0. */
export type SqlFault = { position: number; sql: string }

/** The word of the fault in the text of the editor. None if the text was changed after the query was run: the cursor stays where a person types. */
export function placeOf(fault: SqlFault | undefined, text: string): { from: number; to: number } | undefined {
  if (!fault || text === '' || text.trim() !== fault.sql) return undefined
  // A query is run without the spaces around it.
  const from = Math.min(text.indexOf(fault.sql) + fault.position, text.length - 1)
  const [word = ''] = /^(\w+|.)?/s.exec(text.slice(from, from + 100)) ?? []
  return { from, to: from + Math.max(1, word.length) }
}
