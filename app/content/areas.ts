type Area = {
  /** The heading of its page. */
  readonly title: string
  /** In the sidebar and as the title of the tab. */
  readonly name: string
  readonly page: string
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
    name: 'Blog',
    page: '/admin/blog',
    purpose: 'Write, schedule and publish posts.',
    uses: ['Write a post in Markdown and preview it', 'Save drafts until they’re ready', 'Unpublish a post'],
    needs: 'You need a staff account to write posts.',
  },
  redirects: {
    title: 'Redirect Management',
    name: 'Redirects',
    page: '/admin/redirects',
    purpose: 'Send old URLs to new ones so links never break.',
    uses: ['Send an old URL to a page or another site', 'Set the order of the rules', 'Turn rules off and on'],
    needs: 'You need a staff account to change redirects.',
  },
  marketplace: {
    title: 'Data Marketplace',
    name: 'Data Marketplace',
    page: '/data-marketplace',
    purpose: 'Browse and download datasets.',
    uses: ['Browse datasets by category, each with a sample', 'Download files', 'Get API access'],
    needs: 'Your account can browse and download. You need a staff account to list and price datasets.',
  },
  products: {
    title: 'Product Management',
    name: 'Products',
    page: '/admin/products',
    purpose: 'Create, price and publish datasets.',
    uses: ['Describe and price a dataset', 'Upload a file and review its report', 'Publish a version, or roll back to an earlier one'],
    needs: 'You need a staff account to change products.',
  },
} as const satisfies Record<string, Area>

export type AreaName = keyof typeof areas
