/** What pages of the blog show while they load, apart from their other texts: every live page has these. */
export const blogLoading = { title: 'Web Scraping Insights', list: 'Loading blog posts...', post: 'Loading the post...' } as const
