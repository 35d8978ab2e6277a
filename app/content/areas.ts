type Area = {
  readonly title: string
  /** The work in this area, in a sentence. */
  readonly purpose: string
  /** The tasks of people with access. */
  readonly uses: readonly string[]
  /** The reason for a staff account, for someone without one. */
  readonly needs: string
}

/** The staff areas of the workspace. They are in the menu of every signed-in person. */
export const areas = {
  blog: {
    title: 'Blog Management',
    purpose: 'Posts of the blog are written, edited and published here.',
    uses: ['Write a post in Markdown and see it as readers will', 'Keep drafts until they are ready', 'Take a published post back'],
    needs: 'Writing here needs a staff account.',
  },
  redirects: {
    title: 'Redirect Management',
    purpose: 'Old addresses of this site are led to new ones here, so that no link from outside ends in nothing.',
    uses: ['Lead an old address to a page or to another site', 'Decide the order in which rules are tried', 'Switch a rule off and on'],
    needs: 'Changing redirects needs a staff account.',
  },
  marketplace: {
    title: 'Data Marketplace',
    purpose: 'Datasets are put on the shelf of the marketplace here.',
    uses: ['Look through datasets by category, with a sample of each', 'Download files', 'Get access to APIs'],
    needs: 'To look and to download, the account that you have is all you need. To list and price datasets, a staff account is needed.',
  },
  products: {
    title: 'Product Management',
    purpose: 'Create, price and publish datasets.',
    uses: ['Describe and price a dataset', 'Upload a file and review its report', 'Publish a version, or roll back to an earlier one'],
    needs: 'Changing products needs a staff account.',
  },
} as const satisfies Record<string, Area>

export type AreaName = keyof typeof areas
