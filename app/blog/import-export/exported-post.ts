import { numberText } from '#app/platform/text/english-number.ts'

/** A post in another program's export. Dates are ISO 8601; `html` is its text. */
export type ExportedPost = {
  title: string
  slug: string
  html: string
  published: boolean
  date?: string | undefined
  excerpt?: string | undefined
  tags: string[]
  /** The URL of the featured image. */
  image?: string | undefined
  metaTitle?: string | undefined
  metaDescription?: string | undefined
  author?: { name: string; email: string } | undefined
  /** Its path on the old site, with the query if it had one. */
  oldPath?: string | undefined
  /** The old URL of the post. Its relative links mean that site. */
  link?: string | undefined
  /** Omissions and changes, for the report. */
  notes: string[]
}

/** The contents of an export; `refused` names the kinds of entries that are no posts. */
export type PostExport = { program: string; posts: ExportedPost[]; refused: string[] }

/** A larger export has to be split. */
export const MOST_EXPORTED = 5_000

export const IMPORTABLE =
  'You can import a zip archive of Markdown files and images, a WordPress export (WXR, .xml) or a Ghost export (.json). To import an export with its images, put both into one archive.'

/** Counts the entries that are no posts, by type, for the report. */
export function countRefused(kinds: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, count]) => `${numberText(count)} of type “${kind.slice(0, 40)}” skipped: only posts are imported.`)
}
