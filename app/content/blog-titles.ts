/** The few texts of the blog that the workspace shows, apart from the others: pages of the workspace do not load those. */
export const blogLoading = { title: 'Web Scraping Insights', list: 'Loading blog posts...', post: 'Loading the post...' } as const

/** Listed in place of an empty title. */
export const UNTITLED = 'Untitled draft'
