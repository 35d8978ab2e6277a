/** `list` is the paths of all that can be read; `patternAt` is the pattern of the page at a path. */
type PageMap = { list: () => Promise<string[]>; patternAt: (path: string) => string }

let pages: PageMap = { list: async () => [], patternAt: () => '/*' }

/** Says which pages there are; called where the product is put together. */
export function knowPages(known: PageMap) {
  pages = known
}

/** The paths of all pages that strangers can read. */
export async function listPagePaths(): Promise<string[]> {
  return pages.list()
}

/** Whether a page of ours answers at a path. Where one pattern serves many, only the list knows which. */
export async function isPage(path: string): Promise<boolean> {
  const pattern = pages.patternAt(path)
  if (pattern === '/*') return false
  return pattern.includes(':') ? (await pages.list()).includes(path) : true
}
