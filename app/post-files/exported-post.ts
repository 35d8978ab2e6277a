/** A post as another program exports it. Dates are ISO 8601; `html` is its text. */
export type ExportedPost = {
  title: string
  slug: string
  html: string
  published: boolean
  date?: string | undefined
  excerpt?: string | undefined
  tags: string[]
  /** The address of the picture above the post. */
  image?: string | undefined
  metaTitle?: string | undefined
  metaDescription?: string | undefined
  author?: { name: string; email: string } | undefined
  /** Where readers found it: a path on the old site, perhaps with a query. */
  oldPath?: string | undefined
  /** What is left out or changed, for the report. */
  notes: string[]
}

/** All that an export holds; `refused` names what is none of our posts, kind by kind. */
export type PostExport = { program: string; posts: ExportedPost[]; refused: string[] }

/** An export with more posts is sent in parts. */
export const MOST_EXPORTED = 5_000

export const TAKEN =
  'Taken are Markdown files with their pictures in a zip archive, a WordPress export (WXR, .xml) and a Ghost export (.json). Pictures of an export are put into one archive with it.'

/** What stands in the place of a count of things that are no posts: `12 pages are not taken`. */
export function countRefused(kinds: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${count.toLocaleString('en')} of the kind “${kind.slice(0, 40)}” not taken: only posts are.`)
}
