/** `list` returns the paths of all public pages; `patternAt` returns the route pattern of a path. */
type PageMap = { list: () => Promise<string[]>; patternAt: (path: string) => string }

let pages: PageMap = { list: async () => [], patternAt: () => '/*' }

/** Registers the pages of the product; called at startup. */
export function registerPages(known: PageMap) {
  pages = known
}

export async function listPagePaths(): Promise<string[]> {
  return pages.list()
}

/** Whether a page exists at a path. Where one route serves many pages, only the list knows. */
export async function isPage(path: string): Promise<boolean> {
  const pattern = pages.patternAt(path)
  if (pattern === '/*') return false
  return pattern.includes(':') ? (await pages.list()).includes(path) : true
}
