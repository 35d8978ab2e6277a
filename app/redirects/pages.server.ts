type PageList = { list: () => Promise<string[]>; has: (path: string) => Promise<boolean> }

let pages: PageList = { list: async () => [], has: async () => false }

/** Says which pages there are; called where the product is put together. `list` is what strangers can read, `has` knows all that answers. */
export function knowPages(known: PageList) {
  pages = known
}

/** The paths of all public pages. */
export async function listPagePaths(): Promise<string[]> {
  return pages.list()
}

/** Whether a page of ours answers at a path. */
export async function isPage(path: string): Promise<boolean> {
  return pages.has(path)
}
